import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'

const paymentPages: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

/**
 * Whether a page has a payment provider's script. Its policy header belongs to the loaded document, so who comes to it, or goes
 * from it, loads a new one.
 */
export const isPaymentPage = (path: string): boolean => paymentPages.includes(path)

export const useLeavingCheckout = (): boolean => isPaymentPage(useLocation().pathname)
