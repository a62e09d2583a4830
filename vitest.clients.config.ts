import { defineConfig } from 'vitest/config';

/** The client package, the guide's samples and generated clients, as projects outside the repository. */
export default defineConfig({
  test: {
    include: ['tests/clients/**/*.clients.ts'],
    globalSetup: ['tests/support/global-setup.ts', 'tests/clients/tools.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
