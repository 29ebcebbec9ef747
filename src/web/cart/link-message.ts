import type { ToastMessage } from '#web/ui/toast.tsx'
import { formMessageIn } from './form-messages.ts'

/** Shows what came of a link with a discount code, once: its fragment is removed. */
export function showLinkMessage(toast: (message: ToastMessage) => void): void {
  const message = formMessageIn(new URLSearchParams(location.hash.slice(1)))
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  if (message) toast({ title: message.text, destructive: !message.isSuccess })
}
