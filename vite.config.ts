import tailwindcss from '@tailwindcss/vite'
import type { OtherLanguage } from '#shared/language.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Loaded by every page before it asks for another one. */
const IS_LOADED = /\/(?:libraries|shop|shared|entry-client|rolldown-runtime)-/
/** What the sign-in and pages behind it are made of. Every visitor would carry the names of their files, for the few who open them. */
const IS_BEHIND_SIGN_IN =
  /\/(?:AdminFrame|AdminLayout|PartnersOnly|PersonalDataSummary|registration|use-fresh-password|(?:admin|studio|report|earnings)-queries)-/

/**
 * What only some pages need stays out of the file that all of them load, however many those become: forms with the schemas
 * that judge them, tables, and the rooms behind the sign-in.
 */
const onSomePages = [
  /\/src\/contract\/(?!paths\.ts$)/,
  /\/src\/web\/(?:accounts|checkout|admin|claims|drops|gift|messages|orders|partners|pay|raffles|reports|reviews|studio)\//,
  /\/src\/domain\/(?:accounts|drops|legal|partners|imports|invoices|raffles|visits|reports|reconciliation|orders|claims|catalog\/(?:margin|metadata)|checkout\/(?!countries))/,
  /\/src\/web\/ui\/(?:Table|sorting|CopyButton|use-form|ApiForm|form-context|EmailField|Field|MoreButton|Notice|TextArea|Select|Checkbox|Dialog|use-modal)\b/,
  /\/src\/web\/api\/(?:download|upload|use-request|use-shop-time)\b/,
  /\/src\/web\/app\/(?:TabLinks|PagedTable)\b/,
  // Of forms.
  /\/src\/domain\/(?:messages\/card-numbers|catalog\/typos)\b/,
  /\/src\/web\/(?:ui\/(?:QueryBoundary|Notice)|app\/(?:Form|SupportEmail))\b/,
  /\/src\/shared\/(?:text|slug|email)\b/,
  // Not the product's page.
  /\/src\/web\/catalog\/(?:ProductCard|CardPictures|ProductGrid|BestSellers)\b/,
]
/** What every page has besides, as the frame and what the router knows of pages before one is opened. */
const isSharedWithRouter =
  /\/src\/(?:site\/(?!partnership)|domain\/catalog\/(?:facets|search|list-sort)\.ts|web\/catalog\/(?:hero|ProductNotFound)|web\/app\/(?:SupportEmail|page-state|frame\/(?:links|Logo))\b|web\/ui\/(?:class-names|use-out-of-view)\b|web\/[a-z]+\/(?:order-key|return-to|use-leaving-checkout|page-route|decorative-pictures|use-drop))/
const isOfEveryShopPage = (id: string): boolean => id.includes('/src/') && !onSomePages.some((one) => one.test(id))

/** Browsers load the words of one language: they are written into its file. */
const wordsOfOneLanguage: Plugin = {
  name: 'words-of-one-language',
  async load(id) {
    const language = /\/src\/words\/in\/(de|fr|es|ja)\.ts$/.exec(id)?.[1] as OtherLanguage | undefined
    if (!language) return undefined
    const { pageWords, wordsIn } = await import('./src/words/words.ts')
    return `export const translated = ${JSON.stringify(wordsIn(language, pageWords))}`
  },
}

export default defineConfig({
  // Node's own condition for React's server build; without it a page renders two to three times slower.
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [tailwindcss(), react(), wordsOfOneLanguage],
  builder: {},
  ssr: { noExternal: true },
  build: {
    target: 'baseline-widely-available',
    // Named are only the modules that would be found one behind the other: the names of all pages weighed a kilobyte.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) =>
        needed.some((one) => IS_BEHIND_SIGN_IN.test(`/${one}`))
          ? // What a page looks like must be there before it is shown.
            needed.filter((one) => one.endsWith('.css') && !IS_LOADED.test(`/${one}`))
          : needed.filter((one) => one !== file && !IS_LOADED.test(`/${one}`)),
    },
  },
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
          // Neither we nor the libraries read a property for what reading it does (such as a layout by offsetWidth).
          treeshake: { propertyReadSideEffects: false },
          output: {
            // Every page needs these: in one file they compress best, and they stay cached when only the shop changes.
            codeSplitting: {
              groups: [
                {
                  name: 'libraries',
                  // Only some pages have forms, and lists without end are behind the sign-in.
                  test: /node_modules\/(?:react|react-dom|scheduler|react-router|cookie|@tanstack)\/(?!.*(?:infiniteQueryObserver|useInfiniteQuery|mutationObserver|useMutation)\.js)/,
                },
                { name: 'shop', test: isOfEveryShopPage, minShareCount: 5 },
                // What the router and a few pages share would be a dozen files of a hundred bytes.
                { name: 'shared', test: isSharedWithRouter, minShareCount: 2 },
                // What a product page shares with its dialogs, and with the one of the cart, is one file.
                {
                  name: 'product',
                  test: /\/src\/web\/catalog\/(?:SizeGuide|use-swipe|OptionPicker|use-option-choice|use-variants|use-buy-button)\.tsx?$/,
                },
                // What a form is made of, and what the checkout shares with later payments, would be crumbs as well.
                { name: 'fields', test: /\/src\/web\/ui\/(?:Field|Select|Checkbox|form-context)\b/ },
                // So would be what the pages share that a link in an email opens.
                {
                  name: 'by-link',
                  test: /\/src\/(?:contract\/(?:(?:claim|conversation|pay)-paths|gift-path)|web\/(?:claims\/claim-queries|gift\/gift-loader|messages\/conversation-query|orders\/(?:change-query|order-loader|OrderUnavailable|PhotoField|PhotoList)|pay\/pay-loader|api\/upload))\b/,
                },
                // The names of many files with an address or two each would be in the file that every visitor loads; no page of the shop needs them at first.
                {
                  name: 'crumbs',
                  test: /\/src\/(?:contract\/(?:(?:bookkeeping|month|tax|invoice|portal|code|gift-card)-paths|report-figures)|domain\/(?:imports\/former-shop|orders\/clock-time))\b/,
                },
                {
                  name: 'payment',
                  test: /\/src\/(?:web\/checkout\/(?:load-script|checkout-return|wallet-script|OrderTerms|LinePicture)|web\/api\/load-script|domain\/checkout\/quote)\b/,
                },
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
          input: 'src/web/app/entry-before-hydration.ts',
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
