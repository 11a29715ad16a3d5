'use strict';

const report = JSON.parse(document.getElementById('data').textContent);

function add(parent, name, text, className)
{
  const element = document.createElement(name);
  if (text !== undefined) { element.textContent = text; }
  if (className) { element.className = className; }
  parent.appendChild(element);
  return element;
}

function fixed(value, digits)
{
  return value === null || value === undefined ? '\u2013' :
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function groupBy(rows, key)
{
  const groups = new Map();
  rows.forEach(function (row)
  {
    const found = key(row);
    if (!groups.has(found)) { groups.set(found, []); }
    groups.get(found).push(row);
  });
  return groups;
}

// The environment, and further entries, as a list of names and values.
function describe(list, entries)
{
  Object.keys(entries).forEach(function (name)
  {
    const value = entries[name];
    add(list, 'dt', name);
    add(list, 'dd', Array.isArray(value) ? value.join(' ') : value !== null && typeof value === 'object' ?
      Object.keys(value).map(function (key) { return key + ' ' + (value[key] !== null && typeof value[key] === 'object' ?
        JSON.stringify(value[key]) : value[key]); }).join(', ') : String(value));
  });
}

function summary(environment)
{
  return environment.processor + ', ' + environment.cores + ' cores, ' + environment.jvm + ', ' + environment.time;
}
