CREATE TABLE "staff_role" (
	"role" text PRIMARY KEY NOT NULL,
	"requires_second_factor" boolean NOT NULL,
	"refund_order_max_cents" bigint,
	"refund_day_max_cents" bigint,
	CONSTRAINT "staff_role_limits_together" CHECK (("staff_role"."refund_order_max_cents" is null) = ("staff_role"."refund_day_max_cents" is null)),
	CONSTRAINT "staff_role_limits_not_negative" CHECK ("staff_role"."refund_order_max_cents" >= 0 and "staff_role"."refund_day_max_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "staff_refund" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"amount_cents" bigint NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_refund_amount_positive" CHECK ("staff_refund"."amount_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "account_request" DROP CONSTRAINT "account_request_kind_known";--> statement-breakpoint
ALTER TABLE "account_request" ADD COLUMN "role" text;--> statement-breakpoint
ALTER TABLE "account_request" ADD COLUMN "invited_by" integer;--> statement-breakpoint
ALTER TABLE "app_user" ADD COLUMN "role" text;--> statement-breakpoint
ALTER TABLE "owner_action" ADD COLUMN "user_role" text;--> statement-breakpoint
ALTER TABLE "staff_refund" ADD CONSTRAINT "staff_refund_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_refund" ADD CONSTRAINT "staff_refund_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_refund_user_id_made_at_index" ON "staff_refund" USING btree ("user_id","made_at");--> statement-breakpoint
CREATE INDEX "staff_refund_order_id_index" ON "staff_refund" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "account_request" ADD CONSTRAINT "account_request_invited_by_app_user_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_request_one_invitation" ON "account_request" USING btree ("email") WHERE "account_request"."kind" = 'invitation';--> statement-breakpoint
CREATE INDEX "staff" ON "app_user" USING btree ("role") WHERE "app_user"."role" is not null;--> statement-breakpoint
ALTER TABLE "account_request" ADD CONSTRAINT "account_request_invitation_whole" CHECK ("account_request"."kind" <> 'invitation' or ("account_request"."email" is not null and "account_request"."role" is not null and "account_request"."invited_by" is not null));--> statement-breakpoint
ALTER TABLE "account_request" ADD CONSTRAINT "account_request_kind_known" CHECK ("account_request"."kind" in ('password', 'email', 'invitation'));--> statement-breakpoint
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_role_known" CHECK ("app_user"."role" in ('owner', 'books', 'fulfillment', 'support'));--> statement-breakpoint
UPDATE "app_user" SET "role" = 'owner' WHERE "is_owner";
--> statement-breakpoint
-- During a rollout the previous release reads and writes is_owner, this one role.
CREATE FUNCTION keep_owner_and_role_alike() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.role IS NULL AND NEW.is_owner THEN
    NEW.role := 'owner';
  ELSIF TG_OP = 'UPDATE' AND NEW.role IS NOT DISTINCT FROM OLD.role AND NEW.is_owner <> OLD.is_owner THEN
    NEW.role := CASE WHEN NEW.is_owner THEN 'owner' END;
  ELSE
    NEW.is_owner := NEW.role IS NOT DISTINCT FROM 'owner';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER app_user_owner_and_role_alike BEFORE INSERT OR UPDATE ON app_user
  FOR EACH ROW EXECUTE FUNCTION keep_owner_and_role_alike();
--> statement-breakpoint
INSERT INTO "staff_role" ("role", "requires_second_factor", "refund_order_max_cents", "refund_day_max_cents") VALUES
  ('owner', false, NULL, NULL),
  ('books', true, NULL, NULL),
  ('fulfillment', true, 10000, 50000),
  ('support', true, 5000, 20000);
