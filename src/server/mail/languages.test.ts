import '#words/all.ts'
import { describe, expect, test } from 'vitest'
import { rudy } from '#site/collections/rudy.ts'
import { defaultSettings } from '#site/shop-rules.ts'
import { houseTexts, mailNames, type MailName } from '#domain/messages/mail-texts.ts'
import { inLanguage, languages, type Language } from '#shared/language.ts'
import type { MailContent } from './content.ts'
import { exampleMail } from './examples.ts'
import { renderMail } from './outbox.ts'
import { fillSiteFacts } from './site-facts.ts'

const PUBLIC_URL = 'https://shop.example'
const goods = { productName: 'Sherpa Blanket', variantName: '50″×60″', imageUrl: '/pictures/blanket.640.webp' }

/** Partners, owners and their people read English. */
const toShoppers = mailNames.filter((name) => !/^(?:partner|call|payout)_|^account_invitation$/.test(name))

/** What people typed, names, and dates that the examples give; the last one is Spanish, too. */
const DATA = [
  ...['A size in doubt', 'Which size is right for me?', 'It runs true to size.', 'A corner is torn.'],
  ...['Could you send a photo of the label, too?', 'The photos show a different product.'],
  ...['The printer has sent the print again itself. It arrives next week.', 'Rudy’s Midnight Mug', 'Rudy’s blanket'],
  ...['Ada Lovelace', '1 Elm Street', 'Austin, TX 78701', '2 x Sherpa Blanket (50″×60″)', 'No. 12 of 500'],
  ...['Directive 2011/83/EU, Articles 9 to 14', 'November 23, 2026 at 10:15 AM UTC', 'December 24, 2026'],
  ...['Nov 23–Dec 4', 'Dec 3–9', 'Dec 1, 3:05 PM EST', 'PFK7QM-4T2X', 'Total (USD)'],
]

const exampleIn = (language: Language, name: MailName, change = (mail: MailContent) => mail) =>
  inLanguage(language, () => {
    const mail = change(exampleMail(name, goods, rudy, PUBLIC_URL))
    const { subject, textPart, htmlPart } = renderMail(mail, defaultSettings, PUBLIC_URL)
    const { title = '', preheader = '' } = mail
    const heads = fillSiteFacts([title, preheader].join('\n'), defaultSettings, (text) => text)
    return { texts: [subject, heads, textPart].join('\n'), htmlPart }
  })

/** Of two words at least: a single one may be the same in two languages. */
const sentencesOf = (texts: string): string[] =>
  DATA.reduce((left, data) => left.replaceAll(data, ''), texts)
    .replaceAll(/https:\S+|\S+@\S+/g, '')
    .split(/\n| - |(?<=[.?!:])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => (sentence.match(/\p{Letter}{2,}/gu) ?? []).length > 1)

describe.each(languages.filter((language) => language !== 'en'))('in %s', (language) => {
  test('no email has an English sentence, or a placeholder', () => {
    const found = toShoppers.flatMap((name) => {
      const { texts, htmlPart } = exampleIn(language, name)
      const left = sentencesOf(exampleIn('en', name).texts).filter((sentence) => texts.includes(sentence))
      const unfilled = (texts + htmlPart).match(/\{[\w-]+\}|undefined/g) ?? []
      return [...left, ...unfilled].map((text) => `${name}: ${text}`)
    })
    expect(found).toEqual([])
  })

  test('an email says its language, and leads to pages in it', () => {
    const { htmlPart } = exampleIn(language, 'shipped')
    expect(htmlPart).toContain(`<html lang="${language}"`)
    expect(htmlPart).toContain(`href="${PUBLIC_URL}/${language}"`)
    expect(htmlPart).toContain(`href="${PUBLIC_URL}/${language}/shipping-returns"`)
  })

  test('the owner’s own text stays as written, and the rest speaks', () => {
    const own = { ...houseTexts('shipped'), opening: 'Off it goes, {first-name}.' }
    const { texts } = exampleIn(language, 'shipped', (mail) => mail.worded?.write(own) ?? mail)
    expect(texts).toContain('Off it goes, Ada.')
    expect(texts).not.toContain('Tracking number')
  })
})

test('in English, an email is as the house wrote it', () => {
  const { texts, htmlPart } = exampleIn('en', 'shipped')
  expect(texts).toContain('On its way: your order PFK7QM-4T2X - The Rudy Collection\nIt’s on its way.')
  expect(htmlPart).toContain('<html lang="en"')
  expect(htmlPart).toContain(`href="${PUBLIC_URL}"`)
})
