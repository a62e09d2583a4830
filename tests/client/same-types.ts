/** Compares the published types of the client package with the service’s; the compiler is the test. To fix: npm run openapi. */

import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { ErrorCode, LiveEvent, Refusal } from '../../client/src/generated/router.ts';
import type { AppRouter as Published } from '../../client/src/trpc.ts';
import type { ERRORS } from '../../engine/platform/error-table.ts';
import type { ErrorView } from '../../routers/errors.ts';
import type { AppRouter } from '../../routers/index.ts';

/** Without names and intersections: the same properties in one object. */
type Flat<T> = T extends readonly (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { [Key in keyof T]: Flat<T[Key]> }
    : T;
type Equal<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
/** The procedures, by group, whose types differ. The service's own type says nothing about an answer that is a file. */
type Differing<A, B> = {
  [Group in keyof A & keyof B]: {
    [Name in keyof A[Group] & keyof B[Group]]: unknown extends A[Group][Name]
      ? never
      : Equal<A[Group][Name], B[Group][Name]> extends true
        ? never
        : [Group, Name];
  }[keyof A[Group] & keyof B[Group]];
}[keyof A & keyof B];
type Names<T> = { [Group in keyof T]: keyof T[Group] };
type None<T extends never> = T;

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = Omit<inferRouterOutputs<AppRouter>, 'events' | 'eventStream' | 'valueStream'>;
type PublishedInputs = inferRouterInputs<Published>;
type PublishedOutputs = Omit<inferRouterOutputs<Published>, 'events' | 'eventStream' | 'valueStream'>;

export type Inputs_ = None<Differing<Inputs, PublishedInputs>>;
export type Outputs_ = None<Differing<Outputs, PublishedOutputs>>;
export const named: Equal<Names<Inputs>, Names<PublishedInputs>> = true;
export const words: [Equal<ErrorCode, keyof typeof ERRORS>, Equal<Refusal, ErrorView>] = [true, true];
export const eventShape = (event: LiveEvent): { type: string; at: string; payload: unknown } => event;
