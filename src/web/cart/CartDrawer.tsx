import { Drawer } from '#web/ui/Drawer.tsx'
import { useCart } from './use-cart.tsx'

export function CartDrawer() {
  const { count, isOpen, closeCart } = useCart()
  return (
    <Drawer open={isOpen} onClose={closeCart} title={`Shopping Cart (${count} items)`}>
      <p className="py-6">Your cart is empty</p>
    </Drawer>
  )
}
