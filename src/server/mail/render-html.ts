import { paths } from '#contract/paths.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { house } from '#site/house.ts'
import { nameParts, spokenName } from '#domain/catalog/product-name.ts'
import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { logoAddress } from '#domain/pictures/logo.ts'
import { formatUsd, times } from '#shared/money.ts'
import { spokenLanguage } from '#shared/language.ts'
import { say, sayKnown, sayParts } from '#words/say.ts'
import {
  amountText,
  orderStages,
  spokenUrl,
  type Block,
  type Item,
  type MailContent,
  type OrderLine,
} from './content.ts'
import { html, trustedHtml, type Html } from '#server/http/html.ts'
import { SITE } from './site-facts.ts'

const SERIF = `Fraunces, Georgia, 'Times New Roman', serif`
const SANS = `'Instrument Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif`
const TABLE = trustedHtml('role="presentation" cellpadding="0" cellspacing="0" border="0"')

/**
 * Email clients support little CSS, so every element has inline styles. The style sheet only adds narrow screens and dark mode
 * for clients that support them; its colors are neutral because they have to suit every collection.
 */
const sheet = trustedHtml(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) {
    .pad { padding-left: 20px !important; padding-right: 20px !important; }
    .title { font-size: 26px !important; }
    .picture-cell { padding-right: 12px !important; }
    .outer { padding: 0 !important; }
    .card { border-radius: 0 !important; border-left: 0 !important; border-right: 0 !important; border-top: 0 !important; }
  }
  @media (prefers-color-scheme: dark) {
    .page { background-color: #121110 !important; }
    .card { background-color: #1d1b1a !important; border-color: #3a3632 !important; }
    .ink { color: #f4efe6 !important; }
    .quiet { color: #bdb4a7 !important; }
    .rule { border-color: #3a3632 !important; }
    .panel { background-color: #272422 !important; }
    .link { color: #e9c57a !important; }
    .button { background-color: #f4efe6 !important; }
    .button a { color: #1d1b19 !important; }
  }
`)

/** A collection's inline styles. */
function stylesOf({ colors }: CollectionTheme) {
  const text = `font-family:${SANS};font-size:16px;line-height:24px;color:${colors.textPrimary};`
  return {
    colors,
    text,
    small: `font-family:${SANS};font-size:14px;line-height:21px;color:${colors.textSecondary};`,
    strong: `${text}font-weight:600;`,
    title: `margin:0;font-family:${SERIF};font-size:32px;line-height:1.15;font-weight:400;letter-spacing:-0.01em;color:${colors.textPrimary};`,
    heading: `margin:0;font-family:${SERIF};font-size:21px;line-height:28px;font-weight:400;color:${colors.textPrimary};`,
    rule: `border-top:1px solid ${colors.cardBorder};`,
    button: `display:inline-block;padding:13px 26px;font-family:${SANS};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;`,
    link: `color:${colors.textPrimary};text-decoration:underline;`,
  }
}
type Styles = ReturnType<typeof stylesOf>

/** For emails about no collection, such as account emails: the tagline replaces the collection's name. */
const shopTheme: CollectionTheme = { ...house, displayName: SITE.tagline }

/** @param publicUrl the shop's URL, for links and pictures */
export function renderHtml(
  { subject, title = '', preheader = '', theme = shopTheme, isPlain, blocks }: MailContent,
  publicUrl: string,
): string {
  if (isPlain) return plainPage(subject, title, blocks)
  const styles = stylesOf(theme)
  const { colors, small, link } = styles
  const email = html`<a class="link" href="mailto:${SITE.supportEmail}" style="${link}">${SITE.supportEmail}</a>`
  const page = html`<!doctype html>
    <html lang="${spokenLanguage()}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${subject}</title>
        <style>
          ${sheet}
        </style>
      </head>
      <body
        class="page"
        style="margin:0;padding:0;background-color:${colors.background};-webkit-text-size-adjust:100%;"
      >
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${preheader}</div>
        <table ${TABLE} class="page" width="100%" style="background-color:${colors.background};">
          <tr>
            <td class="outer" align="center" style="padding:32px 12px;">
              <table
                ${TABLE}
                class="card"
                width="600"
                style="width:100%;max-width:600px;background-color:${colors.surface};border:1px solid ${colors.cardBorder};border-radius:6px;border-collapse:separate;overflow:hidden;"
              >
                <tr>
                  <td
                    class="pad"
                    style="padding:26px 40px 24px;background-color:${colors.primary};border-bottom:3px solid ${colors.accent};"
                  >
                    <a
                      href="${spokenUrl(publicUrl, publicUrl)}"
                      style="font-family:${SERIF};font-size:24px;line-height:28px;font-weight:400;letter-spacing:0;color:#ffffff;text-decoration:none;"
                      >${SITE.logo}</a
                    >
                    <div style="padding-top:4px;font-family:${SANS};font-size:14px;line-height:20px;color:#ffffff;">
                      ${sayKnown(theme.displayName)}
                    </div>
                  </td>
                </tr>
                ${row(38, html`<h1 class="title ink" style="${styles.title}">${title}</h1>`)}
                ${blocks.map((block) => blockHtml(block, styles, publicUrl))}
                <tr>
                  <td style="height:34px;font-size:0;line-height:0;">&nbsp;</td>
                </tr>
                <tr>
                  <td class="pad rule" style="padding:26px 40px 32px;${styles.rule}">
                    <p class="quiet" style="margin:0;${small}">
                      ${
                        sayParts(
                          'Questions? Reply to this email or write to {email}. We answer within {hours} hours, {days}.',
                          { email, hours: SITE.responseHours, days: SITE.responseDays },
                        ) as Html[]
                      }
                    </p>
                    <p class="quiet" style="margin:14px 0 0;${small}">
                      <a class="link" href="${spokenUrl(publicUrl + paths.shippingReturns, publicUrl)}" style="${link}"
                        >${say('Shipping & returns')}</a
                      >
                      &nbsp;·&nbsp;
                      <a class="link" href="${spokenUrl(publicUrl + paths.privacyPolicy, publicUrl)}" style="${link}"
                        >${say('Privacy')}</a
                      >
                    </p>
                    <p class="quiet" style="margin:14px 0 0;${small}">${SITE.name} · ${SITE.tagline}</p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`
  // Indentation is a third of the bytes, and some clients cut off long emails.
  return page.toString().replace(/\n\s+/g, '\n')
}

/** In pixels: the most that fits into the head of an email on a phone. */
const LOGO_MAX = { width: 220, height: 40 } as const

/** The house's mark, which `npm run icons` makes. Before its name, so it needs no text. */
const markHtml = (publicUrl: string): Html =>
  html`<img
    src="${publicUrl}/icons/icon-192.png"
    width="40"
    height="40"
    alt=""
    style="display:inline-block;width:40px;height:40px;margin:0 12px 0 0;border:0;border-radius:8px;vertical-align:middle;"
  />`

/** Where the picture is not shown, its text has the link's font and color. */
export function logoHtml({ name, logo }: Pick<SiteSettings, 'name' | 'logo'>, publicUrl: string): string {
  if (!logo) return html`${markHtml(publicUrl)}${name}`.toString()
  const share = Math.min(LOGO_MAX.width / logo.width, LOGO_MAX.height / logo.height, 1)
  const [width, height] = [logo.width, logo.height].map((side) => Math.round(side * share))
  const plate =
    logo.ground === 'light' ? 'padding:6px 8px;color:#1d1b19;background-color:#f8f4ea;border-radius:4px;' : ''
  return html`<img
    src="${publicUrl}${logoAddress(logo, 'png')}"
    width="${width}"
    height="${height}"
    alt="${name}"
    style="display:inline-block;border:0;${plate}"
  />`.toString()
}

const row = (space: number, content: Html): Html =>
  html`<tr>
    <td class="pad" style="padding:${space}px 40px 0;">${content}</td>
  </tr>`

function blockHtml(block: Block, styles: Styles, publicUrl: string): Html | false {
  switch (block.kind) {
    case 'paragraph':
      return row(
        12,
        html`${block.text.split(/\r?\n\s*\n/).map((text, index) => html`<p class="ink" style="margin:${index && 10}px 0 0;${styles.text}">${withBreaks(text.split(/\r?\n/))}</p>`)}`,
      )
    case 'facts':
      return block.facts.some(([, value]) => value) && row(18, factsHtml(block.facts, styles, publicUrl))
    case 'progress':
      return row(22, progressHtml(block, styles))
    case 'items':
      return (
        block.items.length > 0 &&
        row(
          28,
          html`${heading(block.title, styles)} ${tableOf(block.items.map((item) => itemHtml(item, styles, publicUrl)))}`,
        )
      )
    case 'order lines':
      return row(26, tableOf(block.lines.map((line) => lineHtml(line, styles, publicUrl))))
    case 'amounts':
      return row(0, amountsHtml(block, styles))
    case 'lines':
      return row(30, html`${heading(block.title, styles)} ${linesHtml(block, styles)}`)
    case 'button':
      // The cell has the color too: some clients draw only that.
      return row(
        20,
        html`<table ${TABLE}>
          <tr>
            <td class="button" style="background-color:${styles.colors.buttonPrimary};border-radius:4px;">
              <a href="${spokenUrl(block.url, publicUrl)}" style="${styles.button}">${block.text}</a>
            </td>
          </tr>
        </table>`,
      )
    case 'small print': {
      const { text, url, end } = block.link
      const href = spokenUrl(url, publicUrl)
      const link = html`<a class="link" href="${href}" style="${styles.link}">${text}</a>${end}`
      return row(22, html`<p class="quiet" style="margin:0;${styles.small}">${block.text} ${link}</p>`)
    }
  }
}

const withBreaks = (lines: readonly string[]): Html =>
  html`${lines.map((line, index) => html`${index > 0 && html`<br />`}${line}`)}`

const heading = (title: string, { heading }: Styles): Html => html`<h2 class="ink" style="${heading}">${title}</h2>`

const tableOf = (rows: readonly Html[]): Html =>
  html`<table ${TABLE} width="100%" style="margin-top:10px;">
    ${rows}
  </table>`

/** The days in large, above a line with the stages that are done. */
function progressHtml({ stage, arrives }: Block & { kind: 'progress' }, { colors, small, title }: Styles): Html {
  const reached = orderStages.indexOf(stage)
  const width = `${100 / orderStages.length}%`
  const cells = orderStages.map((name, index) => {
    const isDone = index <= reached
    return html`<td
      class="${isDone ? 'ink' : 'quiet rule'}"
      valign="top"
      width="${width}"
      style="width:${width};border-top:3px solid ${isDone ? colors.accent : colors.cardBorder};${small}font-size:13px;padding:8px 4px 0 0;${isDone && `color:${colors.textPrimary};`}${index === reached && 'font-weight:600;'}"
    >
      ${say(name)}
    </td>`
  })
  return html`${
      arrives !== null &&
      html`<p class="quiet" style="margin:0;${small}">${say('Arrives')}</p>
        <p class="title ink" style="${title}margin-bottom:18px;">${arrives}</p>`
    }
    <table ${TABLE} width="100%" style="table-layout:fixed;">
      <tr>
        ${cells}
      </tr>
    </table>`
}

const factsHtml = (
  facts: (Block & { kind: 'facts' })['facts'],
  { colors, small, strong }: Styles,
  publicUrl: string,
): Html =>
  html`<table ${TABLE} class="panel" width="100%" style="background-color:${colors.background};border-radius:4px;">
    <tr>
      <td style="padding:14px 18px 4px;">
        ${facts.map(
          ([name, value]) =>
            value &&
            html`<p style="margin:0 0 10px;">
              <span class="quiet" style="${small}">${name}</span><br />
              <span class="ink" style="${strong}word-break:break-word;">${spokenUrl(value, publicUrl)}</span>
            </p>`,
        )}
      </td>
    </tr>
  </table>`

/** Without a picture, the quantity has its place. */
function itemHtml(item: Item, styles: Styles, publicUrl: string): Html {
  const { quantity, productName, variantName, imageUrl } = item
  const { rule, small, text } = styles
  if (imageUrl === undefined)
    return html`<tr>
      <td
        class="rule quiet"
        valign="top"
        width="44"
        style="${rule}${small}padding:12px 12px 12px 0;white-space:nowrap;"
      >
        ${quantity} ×
      </td>
      <td class="rule ink" valign="top" style="${rule}${text}padding:10px 0;">
        ${spokenName(productName)}${variantName && html`<br /><span class="quiet" style="${small}">${sayVariant(variantName)}</span>`}
      </td>
    </tr>`
  return html`<tr>
    ${pictureCell(imageUrl, styles, publicUrl)}
    <td class="rule" valign="middle" style="${rule}padding:16px 0;">
      ${nameHtml(productName, styles)}<br />
      <span class="quiet" style="${small}"
        >${[variantName && sayVariant(variantName), say('Quantity {quantity}', { quantity })].filter(Boolean).join(', ')}</span
      >
    </td>
  </tr>`
}

/** In two lines, as the shop's pages show it. */
function nameHtml(name: string, { small, title }: Styles): Html {
  const { kind, title: own } = nameParts(name)
  return html`${kind && html`<span class="quiet" style="${small}">${kind}</span><br />`}<span
      class="ink"
      style="${title}font-size:19px;line-height:25px;letter-spacing:0;"
      >${own}</span
    >`
}

/** Pictures on other hosts are left out. */
function pictureCell(imageUrl: string | null, { colors, rule }: Styles, publicUrl: string): Html {
  const picture = imageUrl?.startsWith('/') && !imageUrl.startsWith('//') && publicUrl + imageUrl
  return html`<td class="rule picture-cell" valign="top" width="96" style="${rule}padding:16px 16px 16px 0;width:96px;">
    ${
      picture &&
      html`<img
        class="picture"
        src="${picture}"
        width="96"
        height="96"
        alt=""
        style="display:block;width:96px;height:96px;border:0;border-radius:4px;background-color:${colors.background};"
      />`
    }
  </td>`
}

function lineHtml(
  { productName, variantName, quantity, unitPrice, imageUrl }: OrderLine,
  styles: Styles,
  publicUrl: string,
): Html {
  const { rule, small, strong } = styles
  return html`<tr>
    ${pictureCell(imageUrl, styles, publicUrl)}
    <td class="rule" valign="top" style="${rule}padding:16px 12px 16px 0;">
      ${nameHtml(productName, styles)}<br />
      <span class="quiet" style="${small}"
        >${variantName && html`${sayVariant(variantName)}<br />`}${quantity} × ${formatUsd(unitPrice)}</span
      >
    </td>
    <td class="rule ink" valign="top" align="right" style="${rule}${strong}padding:16px 0;white-space:nowrap;">
      ${formatUsd(times(unitPrice, quantity))}
    </td>
  </tr>`
}

const amountsHtml = ({ rows, total }: Block & { kind: 'amounts' }, { rule, small, text, strong }: Styles): Html =>
  html`<table ${TABLE} class="rule" width="100%" style="${rule}padding-top:12px;">
    ${rows.map(
      ({ name, amount }) =>
        html`<tr>
          <td class="quiet" style="${small}padding:4px 12px 4px 0;">${name}</td>
          <td class="ink" align="right" style="${text}font-size:15px;padding:4px 0;white-space:nowrap;">
            ${amountText(amount)}
          </td>
        </tr>`,
    )}
    <tr>
      <td class="ink" style="${strong}font-size:18px;padding:12px 12px 4px 0;">
        ${say('Total')} <span class="quiet" style="${small}">USD</span>
      </td>
      <td class="ink" align="right" style="${strong}font-size:18px;padding:12px 0 4px;white-space:nowrap;">
        ${formatUsd(total)}
      </td>
    </tr>
  </table>`

function linesHtml({ lines, isNumbered }: Block & { kind: 'lines' }, { colors, text }: Styles): Html {
  if (!isNumbered) return html`<p class="ink" style="margin:8px 0 0;${text}">${withBreaks(lines)}</p>`
  return tableOf(
    lines.map(
      (line, index) =>
        html`<tr>
          <td class="quiet" valign="top" width="26" style="${text}color:${colors.textSecondary};padding:4px 0;">
            ${index + 1}.
          </td>
          <td class="ink" valign="top" style="${text}padding:4px 0;">${line}</td>
        </tr>`,
    ),
  )
}

/** For the shop's own people. */
const plainPage = (subject: string, title: string, blocks: readonly Block[]): string =>
  html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 'Helvetica Neue', Helvetica, Arial, sans-serif;">
        ${title && html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;">${title}</h1>`}
        ${blocks.map(plainBlock)}
      </body>
    </html>`.toString()

function plainBlock(block: Block): Html | readonly Html[] | undefined {
  switch (block.kind) {
    case 'paragraph':
      return html`<div style="margin:16px 0 0;white-space:pre-wrap;">${block.text}</div>`
    case 'facts':
      return block.facts.flatMap(([name, value]) =>
        value ? [html`<p style="margin:0 0 4px;">${name}: <strong>${value}</strong></p>`] : [],
      )
    case 'button':
      return html`<p style="margin:24px 0 0;"><a href="${block.url}">${block.text}</a></p>`
    case 'small print':
      return html`<p style="margin:8px 0 20px;">${block.text} <a href="${block.link.url}">${block.link.text}</a></p>`
    // Only in emails to shoppers.
    case 'amounts':
    case 'items':
    case 'lines':
    case 'order lines':
    case 'progress':
      return undefined
  }
}
