import { isPaymentPage } from '#web/cart/use-leaving-checkout.ts'
import type { LinkHandler } from './Link.tsx'

type Router = { navigate: (to: string, options: { replace: boolean }) => Promise<void> }

/**
 * Opens a page of ours in this document. Everything else is left to the browser: other tabs, other sites, mail, and the pages of
 * payment, whose policy belongs to a document of their own.
 */
export const navigateByLink =
  (router: Router): LinkHandler =>
  (event) => {
    const { currentTarget: link, button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return
    if (isPaymentPage(location.pathname) || isPaymentPage(link.pathname)) return
    event.preventDefault()
    const to = `${link.pathname}${link.search}${link.hash}`
    // Where one already is makes no step of its own in the history.
    void router.navigate(to, { replace: to === `${location.pathname}${location.search}${location.hash}` })
  }
