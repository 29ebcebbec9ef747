import type { OtherLanguage } from '#shared/language.ts'
import { account } from './catalog/account.ts'
import { cart } from './catalog/cart.ts'
import { checkout } from './catalog/checkout.ts'
import { claims } from './catalog/claims.ts'
import { content } from './catalog/content.ts'
import { drops } from './catalog/drops.ts'
import { goods } from './catalog/goods.ts'
import { mails } from './catalog/mails.ts'
import { messages } from './catalog/messages.ts'
import { orders } from './catalog/orders.ts'
import { raffles } from './catalog/raffles.ts'
import { refused } from './catalog/refused.ts'
import { shop } from './catalog/shop.ts'

/** What pages say. */
export const pageWords = {
  ...shop,
  ...goods,
  ...content,
  ...cart,
  ...checkout,
  ...orders,
  ...claims,
  ...drops,
  ...messages,
  ...account,
  ...refused,
  ...raffles,
} satisfies Words

/** The catalog of words: each text of the shop once, in English, with what it is in every other language. A missing one does not compile. */
export const words = { ...pageWords, ...mails } satisfies Words

export type Words = Readonly<Record<string, Readonly<Record<OtherLanguage, string>>>>

/** An English text of the shop. */
export type Word = keyof typeof words

/** @returns what some words are in a language, by their English */
export const wordsIn = (language: OtherLanguage, some: Words): Record<string, string> =>
  Object.fromEntries(Object.entries(some).map(([word, translated]) => [word, translated[language]]))
