import { useEffect, useRef, type RefObject } from 'react'

/**
 * Opens and closes a native dialog as `open` says; a click beside it asks to close it, as Esc does by itself. The browser keeps
 * the focus inside, and gives it back to where it was.
 */
export function useModal(open: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === open) return
    if (!open) {
      element.close()
      return
    }
    // Where a scroll bar takes room, the style sheet keeps that room, so that nothing moves under the dialog.
    const page = document.documentElement
    page.toggleAttribute('data-scrollbar', innerWidth > page.clientWidth)
    element.showModal()
  }, [open])
  useEffect(() => {
    const element = dialog.current
    // What lies on the dialog is its content; only the space around it is the dialog itself.
    const onClick = (event: MouseEvent) => {
      if (event.target === element) onClose()
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [onClose])
  return dialog
}
