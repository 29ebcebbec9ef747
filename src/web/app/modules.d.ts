/** Made by vite.config.ts from src/brand/collections. */
declare module 'virtual:themes.css' {}
