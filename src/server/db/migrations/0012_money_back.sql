CREATE TABLE "dispute" (
	"provider" text NOT NULL,
	"dispute_id" text NOT NULL,
	"payment_key" text NOT NULL,
	"order_id" integer,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "dispute_provider_dispute_id_pk" PRIMARY KEY("provider","dispute_id"),
	CONSTRAINT "dispute_status_known" CHECK ("dispute"."status" in ('inquiry', 'open', 'won', 'lost')),
	CONSTRAINT "dispute_amounts_not_negative" CHECK ("dispute"."amount_cents" >= 0 and "dispute"."fee_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "order_id" integer;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "source" text DEFAULT 'shop' NOT NULL;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "tax_reversal_id" text;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "booked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund" ADD COLUMN "reversed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dispute_order_id_index" ON "dispute" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "dispute_payment_key_index" ON "dispute" USING btree ("payment_key");--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_order_id_index" ON "refund" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_source_known" CHECK ("refund"."source" in ('shop', 'provider'));