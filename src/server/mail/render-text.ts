import { paths } from '#contract/paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatUsd, times } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { amountText, labeled, spokenUrl, type AmountRow, type Block, type Item, type MailContent } from './content.ts'
import { SITE } from './site-facts.ts'

/** @param publicUrl the shop's URL, for the footer */
export function renderText({ isPlain, blocks }: MailContent, publicUrl: string): string {
  const parts = blocks.map((block) => ({ kind: block.kind, text: textOf(block, publicUrl) })).filter(({ text }) => text)
  // A button right after facts is one more of their lines.
  const isJoined = (index: number) => parts[index]?.kind === 'button' && parts[index - 1]?.kind === 'facts'
  const text = parts.map(({ text }, index) => (index ? (isJoined(index) ? '\n' : '\n\n') : '') + text).join('')
  return isPlain ? text : `${text}\n\n${footer(publicUrl)}`
}

function textOf(block: Block, publicUrl: string): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text
    case 'facts':
      return block.facts
        .flatMap(([name, value]) => (value ? [labeled(name, spokenUrl(value, publicUrl))] : []))
        .join('\n')
    case 'progress':
      return block.arrives === null ? '' : labeled(say('Arrives'), block.arrives)
    case 'items':
      return block.items.length ? [block.title, ...block.items.map(itemText)].join('\n') : ''
    case 'order lines':
      return block.lines
        .map((line) => {
          const total = formatUsd(times(line.unitPrice, line.quantity))
          return `${itemText(line)}\n    ${say('{price} each, {total}', { price: formatUsd(line.unitPrice), total })}`
        })
        .join('\n')
    case 'amounts': {
      const rows: AmountRow[] = [...block.rows, { name: `${say('Total')} (USD)`, amount: block.total }]
      const width = Math.max(...rows.map(({ name }) => name.length)) + 2
      return rows
        .map(({ name, amount }) => `${labeled(name, '').trimEnd().padEnd(width)} ${amountText(amount).padStart(10)}`)
        .join('\n')
    }
    case 'lines': {
      const lines = block.isNumbered ? block.lines.map((line, index) => `${index + 1}. ${line}`) : block.lines
      return [block.title, ...lines].join('\n')
    }
    case 'button':
      return labeled(block.text, spokenUrl(block.url, publicUrl))
    case 'small print':
      return block.asText.replace(block.link.url, () => spokenUrl(block.link.url, publicUrl))
  }
}

const itemText = ({ quantity, productName, variantName }: Item): string =>
  `${quantity} x ${spokenName(productName)}${variantName ? ` (${sayVariant(variantName)})` : ''}`

const footer = (publicUrl: string): string =>
  [
    say('Questions? Reply to this email or write to {email}. We answer within {hours} hours, {days}.', {
      ...{ email: SITE.supportEmail, hours: SITE.responseHours, days: SITE.responseDays },
    }),
    labeled(say('Shipping & returns'), spokenUrl(publicUrl + paths.shippingReturns, publicUrl)),
    `${SITE.name} · ${spokenUrl(publicUrl, publicUrl)}`,
  ].join('\n')
