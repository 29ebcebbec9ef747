import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { useToast } from '#web/ui/toast.tsx'

/** A cart that the shop has lost is being filled again from the browser's copy when the page opens; that takes a moment. */
const RESTORING_MS = 1500

/** There is nothing to check out: back to the products, with a word why (specification, section 5, Cart and checkout guards). */
export function useEmptyCartGuard(isEmpty: boolean): void {
  const { toast } = useToast()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isEmpty) return undefined
    const leave = () => {
      toast({
        title: 'Cart is Empty',
        description: 'Please add items to your cart before checking out.',
        destructive: true,
      })
      // Within the document, so that the word arrives with the shopper; no payment script has been loaded yet.
      void navigate(paths.products, { replace: true })
    }
    const timer = setTimeout(leave, localStorage.getItem('backup-cart') ? RESTORING_MS : 0)
    return () => clearTimeout(timer)
  }, [isEmpty, toast, navigate])
}
