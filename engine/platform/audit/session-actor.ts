/** Whether a web session acts: a person at the console, not an integration's key. */
export const isSessionActor = (actor: string): boolean => actor.startsWith('session:');
