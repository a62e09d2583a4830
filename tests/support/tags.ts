/** Tags that a test may have. `npm test` runs those without one, `npm run test:all` and CI all of them. */
export const TAGS = [
  {
    name: 'long',
    timeout: 300_000,
    description: 'Takes more than 2 s: kills processes, waits for real deadlines, plays whole days.',
  },
];
