import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'

const paymentPages: readonly string[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

/**
 * Whether this is a page with a payment provider's script. Its policy header belongs to the loaded document, so links lead out
 * of it, and into it, by loading a new one: `<Link reloadDocument={…}>`.
 */
export const useLeavingCheckout = (): boolean => paymentPages.includes(useLocation().pathname)
