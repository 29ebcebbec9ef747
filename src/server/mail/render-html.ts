import { paths } from '#contract/paths.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { house } from '#site/house.ts'
import { nameParts, spokenName } from '#domain/catalog/product-name.ts'
import type { CollectionPicture, PicturedTheme } from '#domain/catalog/collection-theme.ts'
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

/** In a sheet of their own, since some clients drop a whole sheet for it, and for screens only, which Outlook takes as a no. */
const fontSheet = (publicUrl: string): Html =>
  trustedHtml(`
  @media screen {
    @font-face { font-family: 'Fraunces'; font-weight: 480; src: url('${publicUrl}/fonts/fraunces.woff2') format('woff2'); }
    @font-face { font-family: 'Instrument Sans'; font-weight: 400 700; src: url('${publicUrl}/fonts/instrument-sans.woff2') format('woff2'); }
  }
`)

/**
 * Email clients support little CSS, so every element has inline styles. The style sheet only adds narrow screens and dark mode
 * for clients that support them; its colors are neutral because they have to suit every collection.
 */
const sheet = trustedHtml(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) {
    .pad { padding-left: 20px !important; padding-right: 20px !important; }
    .title { font-size: 27px !important; }
    .animal { width: 128px !important; }
    img.animal { height: 72px !important; }
    .picture-cell { padding-right: 12px !important; }
    .outer { padding: 0 !important; }
    .band { padding-left: 0 !important; padding-right: 0 !important; }
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
function stylesOf({ colors }: PicturedTheme) {
  const text = `font-family:${SANS};font-size:16px;line-height:24px;text-wrap:pretty;color:${colors.textPrimary};`
  return {
    colors,
    text,
    small: `font-family:${SANS};font-size:14px;line-height:21px;color:${colors.textSecondary};`,
    strong: `${text}font-weight:600;`,
    label: `font-family:${SANS};font-size:13px;line-height:20px;letter-spacing:0.02em;color:${colors.textSecondary};`,
    title: `margin:0;font-family:${SERIF};font-size:36px;line-height:1.12;font-weight:400;letter-spacing:-0.015em;color:${colors.textPrimary};`,
    heading: `margin:0;font-family:${SERIF};font-size:22px;line-height:28px;font-weight:400;letter-spacing:-0.005em;color:${colors.textPrimary};`,
    rule: `border-top:1px solid ${colors.cardBorder};`,
    button: `display:inline-block;padding:14px 30px;font-family:${SANS};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;`,
    link: `color:${colors.textPrimary};text-decoration:underline;`,
  }
}
type Styles = ReturnType<typeof stylesOf>

/** For emails about no collection, such as account emails: the tagline replaces the collection's name. */
const shopTheme: PicturedTheme = { ...house, displayName: SITE.tagline }

/** @param publicUrl the shop's URL, for links and pictures */
export function renderHtml(
  { subject, title = '', preheader = '', theme = shopTheme, hasAnimal, isPlain, blocks }: MailContent,
  publicUrl: string,
): string {
  if (isPlain) return plainPage(subject, title, blocks)
  const styles = stylesOf(theme)
  const { colors, small, link } = styles
  const email = html`<a class="link" href="mailto:${SITE.supportEmail}" style="${link}">${SITE.supportEmail}</a>`
  const heading1 = html`<h1 class="title ink" style="${styles.title}">${title}</h1>`
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
          ${fontSheet(publicUrl)}
        </style>
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
            <td
              class="band"
              align="center"
              style="padding:0 12px;background-color:${colors.primary};border-bottom:3px solid ${colors.accent};"
            >
              <table ${TABLE} width="${WIDTH}" style="width:100%;max-width:${WIDTH}px;">
                <tr>
                  <td class="pad" style="padding:22px 40px;">
                    <a
                      href="${spokenUrl(publicUrl, publicUrl)}"
                      style="font-family:${SERIF};font-size:26px;line-height:40px;font-weight:400;letter-spacing:-0.01em;color:#ffffff;text-decoration:none;"
                      >${SITE.logo}</a
                    >
                  </td>
                  <td
                    class="pad"
                    align="right"
                    style="padding:22px 40px;font-family:${SANS};font-size:13px;line-height:18px;letter-spacing:0.02em;color:#ffffff;"
                  >
                    ${sayKnown(theme.displayName)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
          <tr>
            <td class="outer" align="center" style="padding:40px 12px 0;">
              <table
                ${TABLE}
                class="card"
                width="${WIDTH}"
                style="width:100%;max-width:${WIDTH}px;background-color:${colors.surface};border:1px solid ${colors.cardBorder};border-radius:6px;border-collapse:separate;overflow:hidden;"
              >
                ${row(36, hasAnimal && theme.hero ? besideAnimal(heading1, theme.hero, publicUrl) : heading1)}
                ${blocks.map((block) => blockHtml(block, styles, publicUrl))}
                <tr>
                  <td style="height:40px;font-size:0;line-height:0;">&nbsp;</td>
                </tr>
              </table>
            </td>
          </tr>
          <tr>
            <td class="band" align="center" style="padding:0 12px;">
              <table ${TABLE} width="${WIDTH}" style="width:100%;max-width:${WIDTH}px;">
                <tr>
                  <td class="pad" style="padding:28px 40px 48px;">
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

/** In pixels. */
const WIDTH = 640

/** Small enough to leave the title its room on a phone, and sharp on its screen: the smallest file is more than twice as wide. */
const besideAnimal = (title: Html, { file, widths, alt }: CollectionPicture, publicUrl: string): Html =>
  html`<table ${TABLE} width="100%">
    <tr>
      <td valign="middle" style="padding-right:16px;">${title}</td>
      <td valign="middle" align="right" class="animal" width="200" style="width:200px;">
        <img
          class="animal"
          src="${publicUrl}/pictures/${file}.${widths.at(-1)}.webp"
          width="200"
          height="113"
          alt="${sayKnown(alt)}"
          style="display:block;width:200px;height:113px;border:0;border-radius:4px;"
        />
      </td>
    </tr>
  </table>`

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
function progressHtml({ stage, arrives }: Block & { kind: 'progress' }, { colors, label, title }: Styles): Html {
  const reached = orderStages.indexOf(stage)
  const width = `${100 / orderStages.length}%`
  const cells = orderStages.map((name, index) => {
    const isDone = index <= reached
    return html`<td
      class="${isDone ? 'ink' : 'quiet rule'}"
      valign="top"
      width="${width}"
      style="width:${width};border-top:3px solid ${isDone ? colors.accent : colors.cardBorder};${label}letter-spacing:0;padding:8px 4px 0 0;${isDone && `color:${colors.textPrimary};`}${index === reached && 'font-weight:600;'}"
    >
      ${say(name)}
    </td>`
  })
  return html`${
      arrives !== null &&
      html`<p class="quiet" style="margin:0;${label}">${say('Arrives')}</p>
        <p class="title ink" style="${title}margin-bottom:20px;">${arrives}</p>`
    }
    <table ${TABLE} width="100%" style="table-layout:fixed;">
      <tr>
        ${cells}
      </tr>
    </table>`
}

/** Beside each other where they fit. */
const factsHtml = (
  facts: (Block & { kind: 'facts' })['facts'],
  { colors, label, strong }: Styles,
  publicUrl: string,
): Html =>
  html`<table ${TABLE} class="panel" width="100%" style="background-color:${colors.background};border-radius:4px;">
    <tr>
      <td style="padding:16px 20px 4px;">
        ${facts.map(
          ([name, value]) =>
            value &&
            html`<p style="display:inline-block;vertical-align:top;margin:0 36px 12px 0;">
              <span class="quiet" style="${label}">${name}</span><br />
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

const amountsHtml = (
  { rows, total }: Block & { kind: 'amounts' },
  { rule, small, text, strong, heading }: Styles,
): Html =>
  html`<table ${TABLE} class="rule" width="100%" style="${rule}padding-top:12px;">
    ${rows.map(
      ({ name, amount }) =>
        html`<tr>
          <td class="quiet" style="${small}padding:4px 12px 8px 0;">${name}</td>
          <td class="ink" align="right" style="${text}font-size:15px;padding:4px 0 8px;white-space:nowrap;">
            ${amountText(amount)}
          </td>
        </tr>`,
    )}
    <tr>
      <td class="rule ink" style="${rule}${strong}padding:14px 12px 0 0;">
        ${say('Total')} <span class="quiet" style="${small}">USD</span>
      </td>
      <td
        class="rule ink"
        align="right"
        style="${rule}${heading}font-size:26px;line-height:32px;padding:12px 0 0;white-space:nowrap;"
      >
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
