import { useEffect, useRef, type RefObject } from 'react'

/**
 * Opens and closes a native dialog with `open`; a click on the backdrop, Esc and whatever else closes it call `onClose`. The
 * browser traps the focus and restores it.
 */
export function useModal(open: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (open) element.showModal()
    else element.close()
    holdPage()
  }, [open])
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    // Clicks on the content target its elements; only the backdrop targets the dialog itself. A file field in it cancels, too.
    const onOwn = ({ target }: Event) => {
      if (target === element) onClose()
    }
    // Comes a moment after the closing, when the dialog may be open again.
    const onClosed = () => {
      if (!element.open) onClose()
    }
    const listening = new AbortController()
    const { signal } = listening
    element.addEventListener('click', onOwn, { signal })
    element.addEventListener('cancel', onOwn, { signal })
    element.addEventListener('close', onClosed, { signal })
    return () => listening.abort()
  }, [onClose])
  useEffect(() => {
    const element = dialog.current
    element?.addEventListener('close', holdPage)
    return () => {
      element?.removeEventListener('close', holdPage)
      holdPage()
    }
  }, [])
  return dialog
}

/** The page under a modal dialog does not scroll, and keeps the scroll bar's space, so that nothing shifts. */
function holdPage(): void {
  const page = document.documentElement
  if (document.querySelector('dialog:modal') === null) page.removeAttribute('data-modal')
  else page.setAttribute('data-modal', innerWidth > page.clientWidth ? 'scrollbar' : '')
}
