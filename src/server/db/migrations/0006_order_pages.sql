CREATE TABLE "order_access" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_step" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"fulfilment_status" text NOT NULL,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_viewer" (
	"session_id" text NOT NULL,
	"order_id" integer NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "order_viewer_session_id_order_id_pk" PRIMARY KEY("session_id","order_id")
);
--> statement-breakpoint
ALTER TABLE "shipment" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "partner_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_access" ADD CONSTRAINT "order_access_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_step" ADD CONSTRAINT "order_step_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_viewer" ADD CONSTRAINT "order_viewer_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_viewer" ADD CONSTRAINT "order_viewer_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_access_order_id_index" ON "order_access" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_step_order_id_index" ON "order_step" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_viewer_order_id_index" ON "order_viewer" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_with_partner" ON "shop_order" USING btree ("partner_asked_at") WHERE "shop_order"."fulfilment_status" in ('submitted', 'in_production', 'partially_shipped', 'shipped', 'on_hold', 'needs_attention');