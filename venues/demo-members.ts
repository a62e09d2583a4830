/** Members of the simulated venues, with credentials like those that the venues give, and money that is worth nothing. */
import type { Venue } from '../db/vocabulary.ts';
import type { DemoMember } from './access.ts';
import { VENUES } from './catalogue.ts';
import { ACCESS } from './trading-access.ts';

export type { DemoMember } from './access.ts';

/** What connects a member: the body of `POST /api/venue-connections`, but for a password. */
export type DemoConnection = {
  readonly venue: Venue;
  readonly environment: 'demo';
  readonly label: string;
  readonly credentials: DemoMember['credentials'];
};

/** A member nobody has heard of yet. */
export const newDemoMember = (venue: Venue): DemoMember => ACCESS[venue].newMember();

export const demoConnectionOf = (venue: Venue, { credentials }: DemoMember): DemoConnection => ({
  venue,
  environment: 'demo',
  label: `Simulated ${VENUES[venue].title}`,
  credentials,
});

/** Makes a member known at the demo of a simulated venue; one that is known there keeps what it has. */
export async function admitDemoMember(
  simulatorUrl: string,
  venue: Venue,
  { account, key }: DemoMember,
): Promise<void> {
  const tell = (what: string, told: object) =>
    fetch(`${simulatorUrl}/simulator/trading/${what}`, {
      method: 'POST',
      body: JSON.stringify({ venue: ACCESS[venue].desk, ...told }),
      signal: AbortSignal.timeout(TELL_MS),
    });
  // Refused where it has the account already, and then the key decides.
  await tell('accounts', { ...account, environment: 'demo' });
  const answer = await tell('keys', { account: account.id, ...key });
  if (!answer.ok) throw new Error(`The simulated ${venue} does not take a member: ${await answer.text()}`);
}

const TELL_MS = 5_000;
