import { emptyForm, restore, withoutTaxNumber } from './customer-form.ts'
import { saveReturn, takeReturn } from './checkout-return.ts'

/** What a shopper has entered and agreed to, over a reload or a bank's page. */
const emptyDraft = { form: emptyForm, phone: '', terms: false, age: false }
export type Draft = typeof emptyDraft

const KEY = 'checkoutDraft'

/** Reads and deletes the draft from before a reload or a bank's page. */
export function takeDraft(): Draft | undefined {
  const saved = entry()[KEY]
  writeDraft(undefined)
  const returned = takeReturn()
  const draft = saved ?? returned
  return draft === undefined ? undefined : restore(emptyDraft, draft)
}

/** Saves the draft if the page is left for a bank's page. @returns stops it */
export const saveForReturn = ({ form, ...draft }: Draft): (() => void) =>
  saveReturn({ ...draft, form: withoutTaxNumber(form) })

/** Saves the draft in the tab's history entry, and no storage that outlives the tab; the router has its own state there. */
export function writeDraft(draft: Draft | undefined): void {
  const { [KEY]: before, ...rest } = entry()
  const saved = draft && { ...draft, form: withoutTaxNumber(draft.form) }
  if (saved ?? before) history.replaceState(saved ? { ...rest, [KEY]: saved } : rest, '')
}

const entry = (): Record<string, unknown> => (history.state as Record<string, unknown> | null) ?? {}
