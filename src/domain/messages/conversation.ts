/** `waiting`: for us; `answered`: for the customer. */
export const conversationStates = ['waiting', 'answered', 'closed'] as const
export type ConversationState = (typeof conversationStates)[number]

/** `write` is the customer's; the others are the owner's. */
export type ConversationStep = 'write' | 'answer' | 'close' | 'reopen'

const steps: Readonly<Record<ConversationStep, Partial<Record<ConversationState, ConversationState>>>> = {
  write: { waiting: 'waiting', answered: 'waiting', closed: 'waiting' },
  answer: { waiting: 'answered', answered: 'answered', closed: 'answered' },
  close: { waiting: 'closed', answered: 'closed' },
  reopen: { closed: 'waiting' },
}

/** @returns undefined when the step is not possible */
export const nextConversationState = (from: ConversationState, step: ConversationStep): ConversationState | undefined =>
  steps[step][from]

/** A note is the owner's own; nobody else sees it. */
export const messageAuthors = ['customer', 'shop', 'note'] as const
export type MessageAuthor = (typeof messageAuthors)[number]

/** Where it was written. `order` is the order's page. */
export const messageChannels = ['contact', 'chat', 'order', 'email', 'admin'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** Of one message. */
export const MESSAGE_PHOTOS_MAX = 6

/** What a saved reply may contain, and what each is replaced by. */
export const replyPlaceholders = {
  'first-name': 'the customer’s first name',
  order: 'the order’s number',
  status: 'what the order’s status is',
  tracking: 'where the latest parcel can be tracked',
  shop: 'the shop’s name',
} as const
type ReplyPlaceholder = keyof typeof replyPlaceholders

const placeholder = /\{([a-z][a-z-]*)\}/g

/** @returns undefined, or the first `{word}` that is no placeholder */
export function unknownPlaceholderIn(text: string): string | undefined {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  return names.find((name) => !Object.hasOwn(replyPlaceholders, name))
}

/** Fills in what is known; a placeholder without a value stays, for the owner to replace. */
export const fillReply = (text: string, values: Readonly<Partial<Record<ReplyPlaceholder, string>>>): string =>
  text.replaceAll(placeholder, (whole, name: string) => values[name as ReplyPlaceholder] ?? whole)

/** @returns the first placeholder that is still in an answer, if any */
export const leftPlaceholderIn = (text: string): string | undefined =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name).find((name) => Object.hasOwn(replyPlaceholders, name))

/** As people type them, `PFK7QM-4T2X` or `PFK7QM4T2X`. Without its prefix it may be any word. */
const orderNumber = /\bPF[0-9A-Z]{4}[\s-]?[0-9A-Z]{4}\b/gi
const ORDER_NUMBERS_MAX = 3

/** What looks like an order's number in a text. */
export const orderNumbersIn = (text: string): string[] =>
  [...text.matchAll(orderNumber)].slice(0, ORDER_NUMBERS_MAX).map(([number]) => number)
