import type { MailName } from '#domain/messages/mail-texts.ts'
import type { PicturedTheme } from '#domain/catalog/collection-theme.ts'
import {
  firstNameOf,
  labeled,
  paragraph,
  paragraphs,
  worded,
  type Block,
  type Item,
  type MailContent,
  type OrderStage,
} from '../content.ts'

export type SimpleMail = {
  mail: MailName
  /** Of its placeholders, beside `first-name`. */
  values?: Readonly<Record<string, string>>
  /** Where the order is. */
  stage?: OrderStage
  /** `Dec 3–9`, beside the stage; null if no day can be named. */
  arrives?: string | null
  hasAnimal?: boolean
  /** Follow the opening: what a person wrote. */
  quoted?: readonly string[]
  facts?: readonly (readonly [name: string, value: string | null])[]
  items?: readonly [title: string, list: readonly Item[]]
  /** Left out while there is nothing to do. */
  button?: string
  /** Below the button. */
  smallPrint?: { text?: string; link: { text: string; url: string } }
}

/** A short email: what happened, what it means, and a button to the page. */
export function simpleMail(
  { customerName, theme, link }: { customerName: string; theme?: PicturedTheme; link: string },
  {
    mail,
    values,
    stage,
    arrives = null,
    hasAnimal = false,
    quoted = [],
    facts = [],
    items: [itemsTitle, items] = ['', []],
    button,
    smallPrint,
  }: SimpleMail,
): MailContent {
  return worded(mail, { 'first-name': firstNameOf(customerName), ...values }, (texts) => ({
    subject: texts.subject,
    title: texts.title,
    preheader: texts.opening,
    ...(theme && { theme }),
    hasAnimal,
    blocks: [
      ...paragraphs(texts.greeting),
      ...paragraphs(texts.opening),
      ...(stage === undefined ? [] : [{ kind: 'progress' as const, stage, arrives }]),
      { kind: 'facts', facts },
      { kind: 'items', title: itemsTitle, items },
      ...quoted.map(paragraph),
      ...paragraphs(texts.closing),
      ...(button === undefined ? [] : [{ kind: 'button' as const, text: button, url: link }]),
      ...(smallPrint ? [smallPrintBlock(smallPrint)] : []),
    ] satisfies Block[],
  }))
}

const smallPrintBlock = ({ text = '', link }: NonNullable<SimpleMail['smallPrint']>): Block => ({
  ...{ kind: 'small print', text, link },
  asText: labeled(`${text} ${link.text}`.trim(), link.url),
})
