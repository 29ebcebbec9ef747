import { expect, test } from 'vitest'
import { sources } from './files.ts'

/** Texts for people: strings in sources without their comments, and documents without the names that they quote. */
const read = [
  ...sources('{src,sandbox,tools}/**/*.{ts,tsx}')
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .map(({ path, text }) => ({ path, text: text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/ .*?$/gms, '') })),
  ...sources('{*.md,docs/*.md,deploy/**/*.{yml,yaml,json},pictures/README.md}').map(({ path, text }) => ({
    path,
    text: text.replaceAll(/`[^`\n]*`/g, ''),
  })),
]

/** Where a partner is a creator, without ambiguity. */
const ofCreators =
  /^src\/(?:web|server|domain)\/partners\/|^src\/web\/admin\/(?:Partner|Payouts)|^src\/contract\/(?:earnings|partners|payouts|payout-accounts)\.ts$|^src\/site\/partnership\.ts$/

/** @returns where Printful is called a partner */
const printerAsPartner = (files: readonly { path: string; text: string }[]): string[] =>
  files
    .filter(({ path }) => !ofCreators.test(path))
    .flatMap(({ path, text }) =>
      [
        ...text
          .replaceAll(/\s+/g, ' ')
          .matchAll(/\b(?:print|the|our|every) partner\b(?! portal| program| earns|’s own)|\bpartner cost/gi),
      ]
        // The word that events were stored with stays: it is a value, and pages say otherwise.
        .filter(({ index, input }) => !input.slice(0, index).endsWith("'unknown to "))
        .map(({ index, input }) => `${path}: ${input.slice(Math.max(0, index - 30), index + 30)}`),
    )

test('texts call Printful the printer, never a partner: a partner is a creator', () => {
  expect(printerAsPartner(read)).toEqual([])
  const planted = [
    { path: 'src/web/orders/OrderPage.tsx', text: 'Your order is with the\n  partner.' },
    { path: 'docs/operations.md', text: 'The print partner takes it.' },
    { path: 'src/web/admin/PayoutsPage.tsx', text: 'The partner is paid.' },
  ]
  expect(printerAsPartner(planted)).toHaveLength(2)
})
