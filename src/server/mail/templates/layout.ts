import { paths } from '#contract/paths.ts'
import { RESPONSE_PROMISE } from '#site/policies.ts'
import { label } from '#site/label.ts'
import { defaultCollection } from '#site/collections/collections.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'
import type { Address } from '#domain/checkout/address.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { html, trustedHtml, type Html } from '../html.ts'

const SERIF = `Fraunces, Georgia, 'Times New Roman', serif`
const SANS = `'Instrument Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif`
const WIDTH_PX = 600

/**
 * Email clients support little CSS, so every element has inline styles. The style sheet only adds narrow screens and dark mode
 * for clients that support them; its colors are neutral because they have to suit every collection.
 */
const sheet = trustedHtml(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) {
    .pad { padding-left: 20px !important; padding-right: 20px !important; }
    .title { font-size: 26px !important; }
    .picture { width: 64px !important; height: 64px !important; }
    .picture-cell { width: 64px !important; padding-right: 12px !important; }
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

/** For emails about no collection, such as account emails: the tagline replaces the collection's name. */
export const shopTheme: CollectionTheme = { ...defaultCollection, displayName: label.tagline }

/** A collection's inline styles. */
export function mailTheme({ colors }: CollectionTheme) {
  const text = `font-family:${SANS};font-size:16px;line-height:24px;color:${colors.textPrimary};`
  return {
    text,
    small: `font-family:${SANS};font-size:14px;line-height:21px;color:${colors.textSecondary};`,
    strong: `${text}font-weight:600;`,
    heading: `margin:0;font-family:${SERIF};font-size:19px;line-height:26px;font-weight:600;color:${colors.textPrimary};`,
    rule: `border-top:1px solid ${colors.cardBorder};`,
    panel: `background-color:${colors.background};`,
    button: `display:inline-block;padding:13px 26px;font-family:${SANS};font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;`,
  }
}

type MailPage = {
  theme: CollectionTheme
  publicUrl: string
  /** Shown next to the subject in the inbox. */
  preview: string
  title: string
  /** Rows of the outer table. */
  rows: Html
}

/** A complete email as HTML. */
export function mailPage({ theme, publicUrl, preview, title, rows }: MailPage): string {
  const { colors, displayName } = theme
  const { small } = mailTheme(theme)
  const link = `color:${colors.textPrimary};text-decoration:underline;`
  const page = html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${title}</title>
        <style>
          ${sheet}
        </style>
      </head>
      <body
        class="page"
        style="margin:0;padding:0;background-color:${colors.background};-webkit-text-size-adjust:100%;"
      >
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${preview}</div>
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="background-color:${colors.background};"
        >
          <tr>
            <td class="outer" align="center" style="padding:32px 12px;">
              <table
                role="presentation"
                class="card"
                width="${WIDTH_PX}"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="width:100%;max-width:${WIDTH_PX}px;background-color:${colors.surface};border:1px solid ${colors.cardBorder};border-radius:6px;border-collapse:separate;overflow:hidden;"
              >
                <tr>
                  <td
                    class="pad"
                    style="padding:26px 40px 24px;background-color:${colors.primary};border-bottom:3px solid ${colors.accent};"
                  >
                    <a
                      href="${publicUrl}"
                      style="font-family:${SERIF};font-size:24px;line-height:28px;font-weight:600;letter-spacing:0.01em;color:#ffffff;text-decoration:none;"
                      >${label.name}</a
                    >
                    <div style="padding-top:2px;font-family:${SANS};font-size:14px;line-height:20px;color:#ffffff;">
                      ${displayName}
                    </div>
                  </td>
                </tr>
                ${rows}
                <tr>
                  <td class="pad rule" style="padding:26px 40px 32px;border-top:1px solid ${colors.cardBorder};">
                    <p class="quiet" style="margin:0;${small}">
                      Questions? Reply to this email or write to
                      <a class="link" href="mailto:${label.supportEmail}" style="${link}">${label.supportEmail}</a>. We
                      answer within ${RESPONSE_PROMISE.withinHours} hours, ${RESPONSE_PROMISE.days}.
                    </p>
                    <p class="quiet" style="margin:14px 0 0;${small}">
                      <a class="link" href="${publicUrl}${paths.shippingReturns}" style="${link}"
                        >Shipping &amp; returns</a
                      >
                      &nbsp;·&nbsp;
                      <a class="link" href="${publicUrl}${paths.privacyPolicy}" style="${link}">Privacy</a>
                    </p>
                    <p class="quiet" style="margin:14px 0 0;${small}">${label.name} · ${label.tagline}</p>
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

/** The first row: a title with content under it. */
export function titleRow(theme: CollectionTheme, title: string, content: Html): Html {
  const { text } = mailTheme(theme)
  return html`<tr>
    <td class="pad" style="padding:38px 40px 8px;">
      <h1
        class="title ink"
        style="margin:0;font-family:${SERIF};font-size:31px;line-height:1.2;font-weight:600;color:${theme.colors.textPrimary};"
      >
        ${title}
      </h1>
      <div class="ink" style="padding-top:14px;${text}">${content}</div>
    </td>
  </tr>`
}

/** The cell has the color too: some clients draw only that. */
export const buttonRow = (theme: CollectionTheme, url: string, text: string): Html =>
  html`<tr>
    <td class="pad" style="padding:16px 40px 4px;">
      <table role="presentation" cellpadding="0" cellspacing="0" border="0">
        <tr>
          <td class="button" style="background-color:${theme.colors.buttonPrimary};border-radius:4px;">
            <a href="${url}" style="${mailTheme(theme).button}">${text}</a>
          </td>
        </tr>
      </table>
    </td>
  </tr>`

/** A box of facts, one below the other, leaving out those without a value. */
export function panelRow(
  theme: CollectionTheme,
  facts: readonly (readonly [name: string, value: string | null])[],
): Html {
  const look = mailTheme(theme)
  return html`<tr>
    <td class="pad" style="padding:18px 40px 4px;">
      <table
        role="presentation"
        class="panel"
        width="100%"
        cellpadding="0"
        cellspacing="0"
        border="0"
        style="${look.panel}border-radius:4px;"
      >
        <tr>
          <td style="height:14px;font-size:0;line-height:0;">&nbsp;</td>
        </tr>
        ${facts.map(
          ([name, value]) =>
            value &&
            html`<tr>
              <td style="padding:0 18px 10px;">
                <span class="quiet" style="${look.small}">${name}</span><br /><span
                  class="ink"
                  style="${look.strong}word-break:break-word;"
                  >${value}</span
                >
              </td>
            </tr>`,
        )}
        <tr>
          <td style="height:4px;font-size:0;line-height:0;">&nbsp;</td>
        </tr>
      </table>
    </td>
  </tr>`
}

/** A title with one item per line under it. */
export function itemsRow(
  theme: CollectionTheme,
  title: string,
  items: readonly { productName: string; variantName: string | null; quantity: number }[],
): Html {
  const look = mailTheme(theme)
  return html`<tr>
    <td class="pad" style="padding:28px 40px 0;">
      <h2 class="ink" style="${look.heading}">${title}</h2>
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:10px;">
        ${items.map(
          (item) =>
            html`<tr>
              <td
                class="rule quiet"
                valign="top"
                width="44"
                style="${look.rule}${look.small}padding:12px 12px 12px 0;white-space:nowrap;"
              >
                ${item.quantity} ×
              </td>
              <td class="rule ink" valign="top" style="${look.rule}${look.text}padding:10px 0;">
                ${item.productName}${item.variantName && html`<br /><span class="quiet" style="${look.small}">${item.variantName}</span>`}
              </td>
            </tr>`,
        )}
      </table>
    </td>
  </tr>`
}

const FIRST_NAME = /^\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]+$/u

/** `Hi Ada,` for Ada Lovelace. A name that does not begin with a Latin first name, such as 山田 太郎 or J. Doe, is used whole. */
export function salutation(name: string): string {
  const [first = ''] = name.trim().split(/\s+/)
  return `Hi ${FIRST_NAME.test(first) ? first : name},`
}

export const greeting = (name: string, content: Html | string): Html =>
  html`<p style="margin:0;">${salutation(name)}</p>
    <p style="margin:10px 0 0;">${content}</p>`

/** The end of every plain-text part. */
export const textFooter = (publicUrl: string): string =>
  [
    `Questions? Reply to this email or write to ${label.supportEmail}. We answer within ${RESPONSE_PROMISE.withinHours} hours, ${RESPONSE_PROMISE.days}.`,
    `Shipping & returns: ${publicUrl}${paths.shippingReturns}`,
    `${label.name} · ${publicUrl}`,
  ].join('\n')

/** An address as on a shipping label, one line each. */
export function addressLines(name: string, { line1, line2, city, state, postalCode, country }: Address): string[] {
  const place = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, line1, line2 ?? '', place, countryName(country)].filter(Boolean)
}

/** @returns undefined for a picture on another host */
export const absoluteUrl = (path: string | null, publicUrl: string): string | undefined =>
  path?.startsWith('/') && !path.startsWith('//') ? `${publicUrl}${path}` : undefined
