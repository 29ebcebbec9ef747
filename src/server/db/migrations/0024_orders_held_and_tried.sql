ALTER TABLE "shop_order" ADD COLUMN "partner_tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "held_at" timestamp with time zone;