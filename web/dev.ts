/** `npm run dev`: the API, restarted when its sources change, and the console with hot reload in front of it. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createServer } from 'vite';

const PORT = process.env['PORT'] ?? '3000';
const root = path.join(import.meta.dirname, '..');

process.env['API_URL'] = `http://localhost:${PORT}`;
const api = spawn(
  process.execPath,
  [
    '--watch-path=server',
    '--watch-path=routers',
    '--watch-path=engine',
    '--watch-path=venues',
    '--watch-path=simulator',
    '--watch-path=db',
    'server/start.mjs',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CONSOLE_BUILD: '0' },
  },
);
const vite = await createServer({ configFile: path.join(import.meta.dirname, 'vite.config.ts') });
await vite.listen();
vite.printUrls();

api.on('exit', (code) => {
  void vite.close().finally(() => process.exit(code ?? 0));
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => api.kill(signal));
