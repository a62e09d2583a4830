import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const API = process.env['API_URL'] ?? 'http://localhost:3000';

/** The API is behind the development server, and takes its pages for its own. */
const behind = {
  target: API,
  changeOrigin: true,
  headers: { origin: new URL(API).origin },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  build: {
    target: 'es2024',
    // Every targeted browser preloads modules.
    modulePreload: { polyfill: false },
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    manifest: true,
    assetsInlineLimit: 0,
    // The size of the first load has its budget in the browser tests.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // Named after the first word: the others list every page that needs it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // A browser requests six files at a time, so every six small ones cost a round trip.
        codeSplitting: {
          groups: [
            { name: 'entry', priority: 3, tags: ['$initial'] },
            // With all it imports, in parallel with the entry: one file larger than this is later to the first heading.
            { name: 'shell', priority: 2, test: /\/src\/shell\/shell\.tsx$/ },
            {
              name: 'parts',
              priority: 1,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 600,
              maxModuleSize: 100_000,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/trpc', '/live/trpc', '/docs', '/openapi.json', '/asyncapi.json', '/health'].map((path) => [
        path,
        behind,
      ]),
    ),
  },
});
