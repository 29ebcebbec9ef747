import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { themeSheet } from './src/web/theme/theme-sheet.ts'

const THEMES = 'virtual:themes.css'

/** The collections' colours as a style sheet, made from the brand's own files, so that no page styles itself inline. */
const themes: Plugin = {
  name: 'collection-themes',
  resolveId: (id) => (id === THEMES ? `/${THEMES}` : undefined),
  load: (id) => (id === `/${THEMES}` ? themeSheet() : undefined),
}

export default defineConfig({
  // Node's own condition for React's server build; without it a page renders two to three times slower.
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [themes, tailwindcss(), react()],
  builder: {},
  ssr: { noExternal: true },
  build: { target: 'baseline-widely-available' },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        // Old pages in shared caches still ask for the files of the build before; tools/build.ts removes what is older.
        emptyOutDir: false,
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: 'src/web/app/entry-client.tsx',
          output: {
            // Every page needs these: in one file they compress best, and they stay cached when only the shop changes.
            codeSplitting: {
              groups: [
                {
                  name: 'libraries',
                  test: /node_modules\/(?:react|react-dom|scheduler|react-router|cookie|@tanstack)\//,
                },
                { name: 'shop', test: /\/src\//, minShareCount: 5 },
              ],
            },
          },
        },
      },
    },
    // What runs before the first paint: a classic script that shares no file with the app.
    early: {
      consumer: 'client',
      build: {
        outDir: 'dist/client',
        manifest: '.vite/early.json',
        emptyOutDir: false,
        rolldownOptions: {
          input: 'src/web/app/entry-early.ts',
          output: { format: 'iife', entryFileNames: 'assets/[name]-[hash].js' },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      build: {
        outDir: 'dist/server',
        ssr: true,
        minify: true,
        rolldownOptions: {
          input: { render: 'src/web/app/render.tsx' },
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
  },
})
