import { useEffect, useRef, type RefObject } from 'react'

/**
 * Opens and closes a native dialog with `open`; a click on the backdrop calls `onClose`, and Esc closes it natively. The browser
 * traps the focus and restores it.
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
    // The style sheet keeps the scroll bar's space, so nothing shifts under the dialog.
    const page = document.documentElement
    page.toggleAttribute('data-scrollbar', innerWidth > page.clientWidth)
    element.showModal()
  }, [open])
  useEffect(() => {
    const element = dialog.current
    // Clicks on the content target its elements; only the backdrop targets the dialog itself.
    const onClick = (event: MouseEvent) => {
      if (event.target === element) onClose()
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [onClose])
  return dialog
}
