import type { Step } from '#domain/checkout/steps.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'
import { emptyForm, looksLikeEmail, restore, withoutTaxNumber, type CustomerForm } from './customer-form.ts'

/** The step reached, and whether the shopper wants details saved on this device. */
type CheckoutInfo = { step: Step; remember: boolean }

export type SavedInfo = { email: string | undefined; form: CustomerForm | undefined; info: CheckoutInfo | undefined }

export function readSavedInfo(): SavedInfo | undefined {
  const email = readStored('checkoutEmail', isText)
  const saved = readStored('customerInfo', isObject)
  const form = saved && restore(emptyForm, saved)
  const info = readStored('checkoutInfo', isCheckoutInfo)
  return email === undefined && form === undefined && info === undefined ? undefined : { email, form, info }
}

/**
 * Saves the email address, and the rest only if the shopper wants it; never whom this order is for.
 * @returns whether anything is saved now
 */
export function saveInfo(form: CustomerForm, info: CheckoutInfo): boolean {
  if (info.remember) writeStored('customerInfo', withoutTaxNumber({ ...form, texts: emptyForm.texts }))
  else removeStored('customerInfo')
  const hasEmail = looksLikeEmail(form.email)
  if (hasEmail) writeStored('checkoutEmail', form.email.trim())
  if (hasEmail || info.remember) writeStored('checkoutInfo', info)
  return readSavedInfo() !== undefined
}

export function clearSavedInfo(): void {
  removeStored('customerInfo')
  removeStored('checkoutEmail')
  removeStored('checkoutInfo')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isText = (value: unknown): value is string => typeof value === 'string'

const isCheckoutInfo = (value: unknown): value is CheckoutInfo =>
  typeof value === 'object' &&
  value !== null &&
  'step' in value &&
  (value.step === 'customer_info' || value.step === 'review' || value.step === 'payment') &&
  'remember' in value &&
  typeof value.remember === 'boolean'
