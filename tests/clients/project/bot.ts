/** A bot that must not miss or repeat anything: for each change of the limits it makes one strategy, through restarts. */
import { createClient, follow, isRefusedWith, problemOf } from 'trading-strategy';

declare const process: { argv: string[] };
declare const console: { log: (text: string) => void };
declare const setTimeout: (task: () => void, ms: number) => void;

const [, , url = '', key = ''] = process.argv;
const client = createClient({ url, key });
const say = (line: object) => console.log(JSON.stringify(line));
const RETRY_MS = 500;

/** Repeats a change under one key until the service has answered it: it then has one effect. */
async function once(
  idempotencyKey: string,
  change: (context: { idempotencyKey: string }) => Promise<unknown>,
) {
  for (;;) {
    try {
      return await change({ idempotencyKey });
    } catch (error) {
      // A refusal is an answer; no answer, or one of a service that ends, is not.
      const isPassing = problemOf(error) === null || isRefusedWith(error, 'shutting_down');
      if (!isPassing && !isRefusedWith(error, 'database_unavailable')) throw error;
      await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

for await (const event of follow({
  url,
  key,
  kinds: ['risk_rules.changed'],
  lastEventId: '0',
  onState: ({ state, since }) => say({ state, since }),
})) {
  if (event.type === 'risk_rules.changed') {
    const { version } = event.payload;
    const name = `Version ${version}`;
    await once(event.id, (context) => client.blueprints.create.mutate({ name }, { context }));
    say({ version });
  } else if (event.type === 'resync') {
    say({ resync: event.id });
  }
}
