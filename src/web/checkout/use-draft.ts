import { useEffect, useRef } from 'react'
import { isCustomerForm, withoutTaxNumber, type CustomerForm } from './customer-form.ts'
import { saveReturn, takeReturn } from './checkout-return.ts'

/** Everything in the checkout that a shopper has typed or ticked. */
export type Draft = { form: CustomerForm; phone: string; terms: boolean; age: boolean }

const KEY = 'checkoutDraft'

/**
 * Keeps what was typed while the page is away, such as during a reload: in the history entry of this tab, as browsers keep
 * the fields of a form, and in no storage that outlives it (docs/decisions). While the page is there, nothing is kept.
 * @param draft undefined when there is nothing to keep, such as after the purchase
 */
export function useDraft(draft: Draft | undefined): void {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  useEffect(() => {
    const leave = () => write(latest.current)
    const onVisibility = () => write(document.visibilityState === 'hidden' ? latest.current : undefined)
    // A reload reads the entry as it stood before the page was told to go, so its farewell would come too late.
    addEventListener('beforeunload', leave)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      removeEventListener('beforeunload', leave)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])
}

/** What was kept by the page that stood here before, or before a bank's own page; it is kept no longer. */
export function takeDraft(): Draft | undefined {
  const saved: unknown = entry()[KEY]
  write(undefined)
  const returned = takeReturn()
  if (isDraft(saved)) return saved
  return isDraft(returned) ? returned : undefined
}

/** Should this page be left for a bank's own page, what was typed is kept for the return. @returns ends it */
export const keepForReturn = ({ form, ...draft }: Draft): (() => void) =>
  saveReturn({ ...draft, form: withoutTaxNumber(form) })

const entry = (): Record<string, unknown> => (history.state as Record<string, unknown> | null) ?? {}

/** The router keeps its own words in the same entry. */
function write(draft: Draft | undefined): void {
  const { [KEY]: before, ...rest } = entry()
  const saved = draft && { ...draft, form: withoutTaxNumber(draft.form) }
  if (saved ?? before) history.replaceState(saved ? { ...rest, [KEY]: saved } : rest, '')
}

const isDraft = (value: unknown): value is Draft => {
  if (typeof value !== 'object' || value === null) return false
  const { form, phone, terms, age } = value as Record<string, unknown>
  return isCustomerForm(form) && typeof phone === 'string' && typeof terms === 'boolean' && typeof age === 'boolean'
}
