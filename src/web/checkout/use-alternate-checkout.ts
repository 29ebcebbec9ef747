import { looksLikeEmail, type CustomerForm } from './customer-form.ts'
import { useCheckout } from './use-checkout.ts'

/** Specification, section 5, Alternate checkout. */
const INVALID_EMAIL = { title: 'Invalid Email', sentence: 'Please enter a valid email address.' }
const INCOMPLETE = { title: 'Incomplete Address', sentence: 'Please complete the shipping address form.' }

/** What the alternate checkout insists on before it goes on. */
export function useAlternateCheckout() {
  const checkout = useCheckout('alternate')
  const { lines, doing, customer, age } = checkout
  const { form, mistakes } = customer

  /** To the review: shipping and tax are calculated first. */
  const review = async () => {
    if (doing !== 'nothing' || lines.length === 0) return
    const [first] = mistakes.keys()
    if (first) {
      checkout.insistOn(first)
      checkout.warn(hasWrongEmail(form) ? INVALID_EMAIL : INCOMPLETE)
    } else if (!checkout.asksAboutZip() && (await checkout.price())) checkout.steps.go('priced')
  }

  /** To the payment: it exists before its form is shown. */
  const pay = async () => {
    if (doing !== 'nothing' || lines.length === 0) return
    if (age && !age.accepted) checkout.warn({ title: 'Error', sentence: checkout.insistOnBox('age') })
    else await checkout.start()
  }

  const blank = [...mistakes].find(([, sentence]) => sentence === 'Required')?.[0]
  return {
    ...checkout,
    review,
    pay,
    missing: blank === undefined ? undefined : 'Please fill in your email, your name and the whole address to go on.',
  }
}

const hasWrongEmail = ({ email }: CustomerForm): boolean => email.trim() !== '' && !looksLikeEmail(email)
