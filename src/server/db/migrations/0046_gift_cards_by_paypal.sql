ALTER TABLE "gift_card_purchase" ADD COLUMN "wallet_order_id" text;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD COLUMN "wallet_attempt" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD COLUMN "wallet_refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD COLUMN "is_held" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_card_purchase" ADD CONSTRAINT "gift_card_purchase_walletOrderId_unique" UNIQUE("wallet_order_id");