import { expect, test } from 'vitest'
import { listDifferences } from './payment-pages.ts'

const policy = { 'content-security-policy': "script-src 'self'" }
const honest =
  '<script src="/assets/first.js" data-parts="/assets/second.js"></script><script type="application/json">{}</script>'
const digests = {
  builtDigest: (path: string) => ({ '/assets/first.js': '1', '/assets/second.js': '2' })[path],
  servedDigest: async (path: string) => (path === '/assets/first.js' ? '1' : '2'),
}
const differencesOf = (html: string, headers: Record<string, string> = policy, changed: Partial<typeof digests> = {}) =>
  listDifferences({ path: '/checkout', html, headers }, policy, { ...digests, ...changed })

test('a payment page that matches this release has no differences', async () => {
  expect(await differencesOf(honest)).toEqual([])
})

test.each([
  ['a script from elsewhere', `${honest}<script src="https://evil.test/skim.js"></script>`, policy, 'evil.test'],
  ['an inline script', `${honest}<script>steal()</script>`, policy, 'inline script that begins with steal()'],
  ['a script that was never built', `${honest}<script src="/assets/third.js"></script>`, policy, 'does not have'],
  ['a wider policy', honest, { 'content-security-policy': 'script-src *' }, 'content-security-policy is script-src *'],
  ['no policy', honest, {}, 'content-security-policy is missing'],
])('the check of payment pages reports %s', async (_, html, headers, named) => {
  expect(await differencesOf(html, headers as Record<string, string>)).toEqual([expect.stringContaining(named)])
})

test('the check of payment pages reports a shop script that was changed on the server', async () => {
  expect(await differencesOf(honest, policy, { servedDigest: async () => '1' })).toEqual([
    expect.stringContaining('/assets/second.js'),
  ])
})
