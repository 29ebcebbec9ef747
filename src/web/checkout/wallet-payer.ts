import type { ExpressPayer } from '#contract/checkout.ts'
import { isDelivered } from '#domain/checkout/countries.ts'
import { emptyForm, type CustomerForm } from './customer-form.ts'

/** What a wallet tells of its payer, in the form. A country that we don't send to is left out: the form does not offer it, and asks. */
export const withPayer = (form: CustomerForm, { email, name, address }: Omit<ExpressPayer, 'phone'>): CustomerForm => ({
  ...form,
  email,
  name,
  shippingAddress: isDelivered(address.country) ? address : { ...address, country: emptyForm.shippingAddress.country },
  sameBillingAddress: true,
})
