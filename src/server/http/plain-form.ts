import { say } from '#words/say.ts'
import { html, type Html } from './html.ts'

/** A field of a form without JavaScript, with what was entered. */
export type PlainField = {
  name: string
  label: string
  value: string
  /** What is wrong and how to fix it. */
  error?: string | undefined
  type?: 'text' | 'email' | 'date'
  autoComplete?: string
  isOptional?: boolean
  /** A choice among these. */
  options?: readonly { value: string; label: string }[]
}

type PlainForm = {
  action: string
  hidden: Readonly<Record<string, string>>
  fields: readonly PlainField[]
  /** After the fields. */
  children?: Html
  button: string
}

const INPUT =
  'w-full min-h-12 rounded-card border border-ink/45 bg-surface px-3.5 py-2.5 text-base text-ink placeholder:text-ink-soft/80 transition-colors hover:border-ink aria-invalid:border-danger aria-invalid:ring-1 aria-invalid:ring-danger'
export const PLAIN_BUTTON =
  'inline-flex min-h-12 items-center justify-center gap-2.5 rounded-card px-6 py-2.5 text-center font-semibold leading-tight bg-button text-ivory hover:bg-button-hover'

/** A form as a page without the app shows it again: with all that was entered, and what is wrong beside its field. */
export function plainForm({ action, hidden, fields, children, button }: PlainForm): Html {
  const firstWrong = fields.find(({ error }) => error !== undefined)
  return html`<form method="post" action="${action}" novalidate class="grid w-full max-w-[36rem] gap-5">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${fields.map((field, index) => plainField(field, { id: `field-${index}`, isFirstWrong: field === firstWrong }))}
    ${children}
    <div><button type="submit" class="${PLAIN_BUTTON}">${button}</button></div>
  </form>`
}

function plainField(field: PlainField, { id, isFirstWrong }: { id: string; isFirstWrong: boolean }): Html {
  const { name, label, value, error, type = 'text', autoComplete, isOptional = false, options } = field
  const attributes = html`id="${id}" name="${name}" class="${INPUT}"
  ${autoComplete !== undefined && html`autocomplete="${autoComplete}"`} ${!isOptional && html`required`}
  ${error !== undefined && html`aria-invalid="true" aria-describedby="${id}-error"`} ${isFirstWrong && html`autofocus`}`
  return html`<div class="flex flex-col gap-1.5">
    <label for="${id}" class="text-[0.9375rem] font-medium"
      >${label}${isOptional && html`<span class="font-normal text-ink-soft"> ${say('(optional)')}</span>`}</label
    >
    ${
      options
        ? html`<select ${attributes}>
            ${options.map(
              (option) =>
                html`<option value="${option.value}" ${option.value === value && html`selected`}>
                  ${option.label}
                </option>`,
            )}
          </select>`
        : html`<input type="${type}" value="${value}" ${attributes} />`
    }
    ${error !== undefined && html`<p id="${id}-error" class="text-sm font-medium text-danger">${error}</p>`}
  </div>`
}
