#!/usr/bin/env node
// Debian's Firefox, as the browser driver starts it. Its long-term release does not know one command of WebDriver BiDi that the
// driver always sends, which is answered here. It only asks for a colour scheme.
import { spawn } from 'node:child_process';
import { WebSocket, WebSocketServer } from 'ws';

const UNKNOWN = 'emulation.setMediaFeaturesOverride';
const LISTENING = /WebDriver BiDi listening on (\S+)/;

const firefox = spawn('/usr/bin/firefox-esr', process.argv.slice(2), { stdio: ['ignore', 'ignore', 'pipe'] });
firefox.once('exit', (code) => process.exit(code ?? 1));
process.once('SIGTERM', () => firefox.kill());

let said = '';
firefox.stderr.on('data', (data) => {
  if (said === null) return;
  said += data;
  const [, address] = LISTENING.exec(said) ?? [];
  if (address === undefined) return;
  said = null;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.once('listening', () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
  server.on('connection', (driver, { url }) => relay(driver, new WebSocket(address + url)));
});

function relay(driver, browser) {
  const opened = new Promise((resolve) => browser.once('open', resolve));
  driver.on('message', async (data) => {
    const { id, method } = JSON.parse(data);
    if (method === UNKNOWN) driver.send(JSON.stringify({ type: 'success', id, result: {} }));
    else {
      await opened;
      browser.send(String(data));
    }
  });
  browser.on('message', (data) => driver.send(String(data)));
  driver.once('close', () => browser.close());
  browser.once('close', () => driver.close());
}
