import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { useToast } from '#web/ui/toast.tsx'

/** Time to restore a lost cart from the browser's backup. */
const RESTORE_MS = 1500

/** Redirects to the products with a toast (specification, section 5, Cart and checkout guards). */
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
      // In the same document, to keep the toast; no payment script has loaded yet.
      void navigate(paths.products, { replace: true })
    }
    const timer = setTimeout(leave, localStorage.getItem('backup-cart') ? RESTORE_MS : 0)
    return () => clearTimeout(timer)
  }, [isEmpty, toast, navigate])
}
