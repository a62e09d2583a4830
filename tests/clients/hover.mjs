// Prints what an editor shows at the last name of each expression of a file: `node hover.mjs <typescript.js> <file>`.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , library = '', file = ''] = process.argv;
const { default: ts } = await import(pathToFileURL(library).href);
const EXPRESSIONS = [
  'createClient',
  'timeoutMs',
  'totalPnl',
  'order.amount',
  'order.limitPrice',
  'orders.waitFor',
  'list.all',
  'orders.approve',
  'onState',
  'payload.orderId',
];

const { fileExists, readFile, directoryExists, getDirectories, readDirectory, realpath } = ts.sys;
const service = ts.createLanguageService({
  fileExists,
  readFile,
  directoryExists,
  getDirectories,
  readDirectory,
  realpath,
  getCurrentDirectory: () => path.dirname(file),
  getCompilationSettings: () => ({ strict: true, module: 199, moduleResolution: 99, target: 99, types: [] }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => (fileExists(name) ? ts.ScriptSnapshot.fromString(readFile(name)) : undefined),
});
const text = readFile(file);
const wordsAt = (expression) => {
  const info = service.getQuickInfoAtPosition(
    file,
    text.indexOf(expression) + expression.lastIndexOf('.') + 1,
  );
  return ts.displayPartsToString(info?.documentation);
};
process.stdout.write(
  JSON.stringify(Object.fromEntries(EXPRESSIONS.map((expression) => [expression, wordsAt(expression)]))),
);
