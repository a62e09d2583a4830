import { grantOperator } from '../../server/identity/users/operators.ts';
import { type Protected, secondFactorOf } from './second-factor.ts';
import { type Answer, ORIGIN, type World } from './world.ts';

export type Operator = Protected & {
  /** Calls a procedure of the operator's page: a query, or with `POST` a mutation. */
  call: (name: string, input?: object, method?: 'GET' | 'POST') => Promise<Answer>;
};

/** An operator who has just signed in. */
export async function openOperator(world: World): Promise<Operator> {
  const person = await secondFactorOf(world.send, await world.signUp());
  const refusal = await grantOperator(world.db, person.userId);
  if (refusal !== null) throw new Error(refusal);
  return { ...person, call: callsOf(world, { cookie: person.cookie, origin: ORIGIN }) };
}

/** Calls procedures of the operator's page with these credentials. */
export const callsOf =
  ({ send }: Pick<World, 'send'>, headers: Record<string, string>): Operator['call'] =>
  (name, input = {}, method = 'GET') =>
    method === 'POST'
      ? send('POST', `/trpc/console.operator.${name}`, { headers, body: input })
      : send('GET', `/trpc/console.operator.${name}?input=${encodeURIComponent(JSON.stringify(input))}`, {
          headers,
        });
