import { useEffect, useRef } from 'react'
import { isCustomerForm, withoutTaxNumber, type CustomerForm } from './customer-form.ts'
import { saveReturn, takeReturn } from './checkout-return.ts'

export type Draft = { form: CustomerForm; phone: string; terms: boolean; age: boolean }

const KEY = 'checkoutDraft'

/**
 * Saves the draft while the page is hidden or reloading, in the tab's history entry and no storage that outlives the tab.
 * @param draft undefined when there is nothing to save, such as after the purchase
 */
export function useDraft(draft: Draft | undefined): void {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  useEffect(() => {
    const leave = () => write(latest.current)
    const onVisibility = () => write(document.visibilityState === 'hidden' ? latest.current : undefined)
    // `beforeunload`, because `pagehide` is too late: a reload has read the entry by then.
    addEventListener('beforeunload', leave)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      removeEventListener('beforeunload', leave)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])
}

/** Reads and deletes the draft from before a reload or a bank's page. */
export function takeDraft(): Draft | undefined {
  const saved: unknown = entry()[KEY]
  write(undefined)
  const returned = takeReturn()
  if (isDraft(saved)) return saved
  return isDraft(returned) ? returned : undefined
}

/** Saves the draft if the page is left for a bank's page. @returns stops it */
export const saveForReturn = ({ form, ...draft }: Draft): (() => void) =>
  saveReturn({ ...draft, form: withoutTaxNumber(form) })

const entry = (): Record<string, unknown> => (history.state as Record<string, unknown> | null) ?? {}

/** The router stores its own state in the same entry. */
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
