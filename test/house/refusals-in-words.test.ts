import { expect, test } from 'vitest'
import type { Call } from '#contract/call.ts'
import { callGroups } from '#contract/calls.ts'
import { refusals } from '#contract/refusals.ts'
import { words } from '#words/words.ts'

/** Of partners and people who work here, whose pages are English. */
const isTheirs = (group: string) => /^(?:admin|invitations|partners)/.test(group)

test('what a shopper can be refused with is in the catalog of words', () => {
  const calls = Object.entries(callGroups).flatMap(([group, ofGroup]) =>
    isTheirs(group) ? [] : (Object.values(ofGroup) as Call[]),
  )
  const codes = calls
    .filter(({ access }) => access === 'anyone' || access === 'signed_in')
    .flatMap((call) => call.refusals)
  const sentences = [...new Set(codes)].map((code) => refusals[code][1])
  // `{reason}` alone says nothing itself.
  const missing = sentences.filter((sentence) => !/^\{\w+\}$/.test(sentence) && !Object.hasOwn(words, sentence))
  expect(missing).toEqual([])
})
