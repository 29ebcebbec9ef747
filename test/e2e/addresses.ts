export const SHOP_PORT = 4450
export const SANDBOX_PORT = 4460
export const SHOP = `http://127.0.0.1:${SHOP_PORT}`
export const SANDBOX = `http://127.0.0.1:${SANDBOX_PORT}`
