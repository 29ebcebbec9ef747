CREATE TABLE "affiliate_click" (
	"id" uuid PRIMARY KEY NOT NULL,
	"link_id" integer NOT NULL,
	"path" text NOT NULL,
	"clicked_at" timestamp with time zone NOT NULL,
	"carted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "affiliate_link" (
	"id" serial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"code" text NOT NULL,
	"path" text NOT NULL,
	"campaign" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "affiliate_link_code_unique" UNIQUE("code"),
	CONSTRAINT "affiliate_link_to_a_page" CHECK (left("affiliate_link"."path", 1) = '/' and substr("affiliate_link"."path", 2, 1) not in ('/', chr(92)))
);
--> statement-breakpoint
CREATE TABLE "attribution" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"link_id" integer NOT NULL,
	"clicked_at" timestamp with time zone NOT NULL,
	"objection" text,
	"frozen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attribution_objection_known" CHECK ("attribution"."objection" is null or "attribution"."objection" in ('own_account', 'own_email', 'partner_ended'))
);
--> statement-breakpoint
CREATE TABLE "commission_entry" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"link_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"product_id" integer NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"base_cents" bigint NOT NULL,
	"basis_points" smallint NOT NULL,
	"amount_cents" bigint NOT NULL,
	"booked_at" timestamp with time zone NOT NULL,
	"approved_from" timestamp with time zone NOT NULL,
	"payout_id" integer,
	CONSTRAINT "commission_entry_once" UNIQUE("order_id","position","cause"),
	CONSTRAINT "commission_entry_kind_known" CHECK ("commission_entry"."kind" in ('sale', 'refund', 'refund_failed', 'dispute', 'dispute_won'))
);
--> statement-breakpoint
CREATE TABLE "partner" (
	"id" integer PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"channel_url" text,
	"code" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"joined_at" timestamp with time zone NOT NULL,
	CONSTRAINT "partner_code_unique" UNIQUE("code"),
	CONSTRAINT "partner_state_known" CHECK ("partner"."state" in ('active', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "partner_rate" (
	"id" serial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"product_id" integer,
	"basis_points" smallint NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "partner_rate_in_range" CHECK ("partner_rate"."basis_points" between 0 and 1500)
);
--> statement-breakpoint
CREATE TABLE "payout" (
	"id" serial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"reference" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"returned_at" timestamp with time zone,
	CONSTRAINT "payout_reference_unique" UNIQUE("reference"),
	CONSTRAINT "payout_positive" CHECK ("payout"."amount_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "affiliate_click" ADD CONSTRAINT "affiliate_click_link_id_affiliate_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_link" ADD CONSTRAINT "affiliate_link_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_link_id_affiliate_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_link_id_affiliate_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_payout_id_payout_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payout"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_of_line" FOREIGN KEY ("order_id","position") REFERENCES "public"."order_line"("order_id","position") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner" ADD CONSTRAINT "partner_id_app_user_id_fk" FOREIGN KEY ("id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_rate" ADD CONSTRAINT "partner_rate_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_rate" ADD CONSTRAINT "partner_rate_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout" ADD CONSTRAINT "payout_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "affiliate_click_link_id_clicked_at_index" ON "affiliate_click" USING btree ("link_id","clicked_at");--> statement-breakpoint
CREATE INDEX "affiliate_click_clicked_at_index" ON "affiliate_click" USING btree ("clicked_at");--> statement-breakpoint
CREATE INDEX "affiliate_link_partner_id_id_index" ON "affiliate_link" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "attribution_partner_id_frozen_at_index" ON "attribution" USING btree ("partner_id","frozen_at");--> statement-breakpoint
CREATE INDEX "attribution_link_id_index" ON "attribution" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "commission_entry_partner_id_booked_at_id_index" ON "commission_entry" USING btree ("partner_id","booked_at","id");--> statement-breakpoint
CREATE INDEX "commission_entry_link_id_booked_at_index" ON "commission_entry" USING btree ("link_id","booked_at");--> statement-breakpoint
CREATE INDEX "commission_entry_payout_id_index" ON "commission_entry" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "commission_entry_unpaid" ON "commission_entry" USING btree ("partner_id","approved_from") WHERE "commission_entry"."payout_id" is null;--> statement-breakpoint
CREATE INDEX "partner_rate_partner_id_starts_at_index" ON "partner_rate" USING btree ("partner_id","starts_at");--> statement-breakpoint
CREATE INDEX "partner_rate_product_id_index" ON "partner_rate" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "payout_partner_id_made_at_index" ON "payout" USING btree ("partner_id","made_at");--> statement-breakpoint
CREATE INDEX "payout_made_at_index" ON "payout" USING btree ("made_at");