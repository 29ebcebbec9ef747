CREATE TABLE "order_change" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"made_by" text NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_change_made_by_known" CHECK ("order_change"."made_by" in ('shopper', 'owner')),
	CONSTRAINT "order_change_kind_known" CHECK ("order_change"."kind" in ('canceled', 'made_now', 'lines', 'address', 'email', 'phone')),
	CONSTRAINT "order_change_state_known" CHECK ("order_change"."state" in ('done', 'awaiting_payment', 'lapsed'))
);
--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "changeable_until" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "order_change" ADD CONSTRAINT "order_change_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_change_order_id_id_index" ON "order_change" USING btree ("order_id","id");--> statement-breakpoint
-- Orders of earlier releases went to the printer right away.
UPDATE shop_order SET changeable_until = created_at;
--> statement-breakpoint
CREATE VIEW audit_changes AS
  SELECT id, order_id, made_by AS by, kind, amount_cents, state, created_at FROM order_change;
