import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'

const PAYMENT_PATHS: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

/**
 * Payment pages load a provider's script under their own content security policy, which belongs to the document: navigating to or
 * from them needs a new document.
 */
export const isPaymentPage = (path: string): boolean => PAYMENT_PATHS.includes(path)

export const useLeavingCheckout = (): boolean => isPaymentPage(useLocation().pathname)
