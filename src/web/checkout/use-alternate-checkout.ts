import { looksLikeEmail, type CustomerForm } from './customer-form.ts'
import { useCheckout } from './use-checkout.ts'

/** Specification, section 5, Alternate checkout. */
const INVALID_EMAIL = { title: 'Invalid Email', sentence: 'Please enter a valid email address.' }
const INCOMPLETE = { title: 'Incomplete Address', sentence: 'Please complete the shipping address form.' }

export function useAlternateCheckout() {
  const checkout = useCheckout('alternate')
  const { lines, doing, customer, age } = checkout
  const { form, mistakes } = customer

  /** Calculates shipping and tax, then opens the review. */
  const review = async () => {
    if (doing !== 'nothing' || lines.length === 0) return
    const [first] = mistakes.keys()
    if (first) {
      checkout.showErrors(first)
      checkout.warn(hasWrongEmail(form) ? INVALID_EMAIL : INCOMPLETE)
    } else if (!checkout.askAboutZip() && (await checkout.price())) checkout.steps.go('priced')
  }

  /** Creates the payment, then opens its form. */
  const pay = async () => {
    if (doing !== 'nothing' || lines.length === 0) return
    if (age && !age.accepted) checkout.warn({ title: 'Error', sentence: checkout.requireConsent('age') })
    else await checkout.start()
  }

  const blank = [...mistakes].find(([, sentence]) => sentence === 'Required')?.[0]
  return {
    ...checkout,
    review,
    pay,
    missing: blank === undefined ? undefined : 'Please enter your email, name and full address to continue.',
  }
}

const hasWrongEmail = ({ email }: CustomerForm): boolean => email.trim() !== '' && !looksLikeEmail(email)
