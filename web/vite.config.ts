import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const API = process.env['API_URL'] ?? 'http://localhost:3000';

/** The API stands behind the development server, and takes its pages for its own. */
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
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    manifest: true,
    assetsInlineLimit: 0,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/trpc', '/docs', '/openapi.json', '/health'].map((path) => [path, behind]),
    ),
  },
});
