import { expect, test } from 'vitest'
import { deviceOf, isMachine, sourceOf } from './visits.ts'

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1', 'phone'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'phone'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36', 'tablet'],
  ['Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1', 'tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'computer'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15', 'computer'],
])('%s is a %s and no machine', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
  expect(isMachine(userAgent)).toBe(false)
})

test.each([
  undefined,
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.1',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0.0.0 Safari/537.36',
])('%s is a machine', (userAgent) => {
  expect(isMachine(userAgent)).toBe(true)
})

test.each([
  ['', 'direct'],
  ['www.google.com', 'search'],
  ['www.google.co.uk', 'search'],
  ['duckduckgo.com', 'search'],
  ['l.facebook.com', 'social'],
  ['www.youtube.com', 'social'],
  ['t.co', 'social'],
  ['x.com', 'social'],
  ['netflix.com', 'site'],
  ['xx.com', 'site'],
  ['google-is-not-this.example', 'site'],
  ['dogs.example', 'site'],
])('a visit from %j is %s', (host, source) => {
  expect(sourceOf(host)).toBe(source)
})
